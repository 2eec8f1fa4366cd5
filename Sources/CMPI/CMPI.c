#include "CMPI.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Handles of Open MPI are the addresses of these objects, which its binary interface fixes.
struct ductus_mpi {
  void *ompi_mpi_comm_world, *ompi_mpi_byte, *ompi_mpi_errors_return;
  int (*MPI_Init_thread)(int *, char ***, int, int *);
  int (*MPI_Comm_set_errhandler)(void *, void *);
  int (*MPI_Comm_rank)(void *, int *);
  int (*MPI_Comm_size)(void *, int *);
  int (*MPI_Isend)(const void *, int, void *, int, int, void *, ductus_mpi_request **);
  int (*MPI_Irecv)(void *, int, void *, int, int, void *, ductus_mpi_request **);
  int (*MPI_Test)(ductus_mpi_request **, int *, void *);
  int (*MPI_Finalize)(void);
  int (*MPI_Abort)(void *, int);
  int (*MPI_Error_string)(int, char *, int *);
};

// Values of mpi.h: MPI_THREAD_SERIALIZED, MPI_STATUS_IGNORE, MPI_MAX_ERROR_STRING, MPI_ERR_OTHER.
enum { thread_serialized = 2, longest_text = 256, other_error = 16 };
static void *const ignored_status = NULL;

ductus_mpi *ductus_mpi_open(const char *name) {
  // Global, because the components that the library loads look up its symbols.
  void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  ductus_mpi *mpi = calloc(1, sizeof *mpi);
  int missing = library == NULL || mpi == NULL;

// POSIX allows the conversion of a pointer from dlsym to one of a function through void **.
#define FIND(member)                                  \
  if (!missing) {                                     \
    *(void **)&mpi->member = dlsym(library, #member); \
    missing = mpi->member == NULL;                    \
  }
  FIND(ompi_mpi_comm_world)
  FIND(ompi_mpi_byte)
  FIND(ompi_mpi_errors_return)
  FIND(MPI_Init_thread)
  FIND(MPI_Comm_set_errhandler)
  FIND(MPI_Comm_rank)
  FIND(MPI_Comm_size)
  FIND(MPI_Isend)
  FIND(MPI_Irecv)
  FIND(MPI_Test)
  FIND(MPI_Finalize)
  FIND(MPI_Abort)
  FIND(MPI_Error_string)
#undef FIND

  if (missing) {
    free(mpi);
    if (library != NULL) dlclose(library);
    return NULL;
  }
  return mpi;
}

int ductus_mpi_start(ductus_mpi *mpi, int *rank, int *count) {
  int provided = 0;
  int code = mpi->MPI_Init_thread(NULL, NULL, thread_serialized, &provided);
  if (code == 0 && provided < thread_serialized) code = other_error;
  if (code == 0)
    code = mpi->MPI_Comm_set_errhandler(mpi->ompi_mpi_comm_world, mpi->ompi_mpi_errors_return);
  if (code == 0) code = mpi->MPI_Comm_rank(mpi->ompi_mpi_comm_world, rank);
  if (code == 0) code = mpi->MPI_Comm_size(mpi->ompi_mpi_comm_world, count);
  return code;
}

int ductus_mpi_send(ductus_mpi *mpi, const void *bytes, int count, int rank, int tag,
                    ductus_mpi_request **request) {
  return mpi->MPI_Isend(bytes, count, mpi->ompi_mpi_byte, rank, tag, mpi->ompi_mpi_comm_world, request);
}

int ductus_mpi_receive(ductus_mpi *mpi, void *bytes, int count, int rank, int tag,
                       ductus_mpi_request **request) {
  return mpi->MPI_Irecv(bytes, count, mpi->ompi_mpi_byte, rank, tag, mpi->ompi_mpi_comm_world, request);
}

int ductus_mpi_test(ductus_mpi *mpi, ductus_mpi_request **request, int *done) {
  int code = mpi->MPI_Test(request, done, ignored_status);
  if (code == 0 && *done) *request = NULL;
  return code;
}

int ductus_mpi_finish(ductus_mpi *mpi) { return mpi->MPI_Finalize(); }

void ductus_mpi_abort(ductus_mpi *mpi, int exit_code) {
  mpi->MPI_Abort(mpi->ompi_mpi_comm_world, exit_code);
}

void ductus_mpi_text(ductus_mpi *mpi, int code, char *text, size_t capacity) {
  char found[longest_text] = "";
  int length = 0;
  if (mpi->MPI_Error_string(code, found, &length) != 0) found[0] = 0;
  snprintf(text, capacity, "%s", found);
}
