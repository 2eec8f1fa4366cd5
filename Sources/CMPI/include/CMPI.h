// The functions of Open MPI that exchange memory between processes. The library is opened when it is
// first asked for, so neither the build nor a process without mpirun needs it.
#ifndef DUCTUS_CMPI_H
#define DUCTUS_CMPI_H

#include <stddef.h>

typedef struct ductus_mpi ductus_mpi;
typedef struct ductus_mpi_request ductus_mpi_request;

// Opens a library by its name; NULL if it is not there or is not Open MPI. It stays open.
ductus_mpi *ductus_mpi_open(const char *name);

// All functions below return 0, or the code of an error for ductus_mpi_text. One thread at a time may
// call them.

// Joins the processes that mpirun started.
int ductus_mpi_start(ductus_mpi *mpi, int *rank, int *count);

// Begin to send and to receive. The memory belongs to the library until ductus_mpi_test says so.
int ductus_mpi_send(ductus_mpi *mpi, const void *bytes, int count, int rank, int tag,
                    ductus_mpi_request **request);
int ductus_mpi_receive(ductus_mpi *mpi, void *bytes, int count, int rank, int tag,
                       ductus_mpi_request **request);

// Sets `done` to 1 and the request to NULL if it is complete, else `done` to 0.
int ductus_mpi_test(ductus_mpi *mpi, ductus_mpi_request **request, int *done);

// Leaves the processes; waits until all do.
int ductus_mpi_finish(ductus_mpi *mpi);

// Ends all processes.
void ductus_mpi_abort(ductus_mpi *mpi, int exit_code);

// Writes the text of an error, which ends with 0.
void ductus_mpi_text(ductus_mpi *mpi, int code, char *text, size_t capacity);

#endif
