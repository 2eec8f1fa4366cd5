// The BLAS and LAPACK routines that LinearAlgebra calls. On Apple platforms Accelerate declares
// them. Elsewhere they are declared here, so that one header works with every implementation among
// Debian's alternatives.
#ifndef DUCTUS_CBLAS_H
#define DUCTUS_CBLAS_H

#ifdef __APPLE__
#define ACCELERATE_NEW_LAPACK 1
#include <Accelerate/Accelerate.h>
#else

enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };

#ifdef __cplusplus
extern "C" {
#endif

void cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transposeA,
                 enum CBLAS_TRANSPOSE transposeB, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_sgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transposeA, int m, int n,
                 float alpha, const float *a, int lda, const float *x, int incx, float beta,
                 float *y, int incy);
void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transposeA,
                 enum CBLAS_TRANSPOSE transposeB, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);

// LAPACK (Fortran interface): least squares by QR with 'N', or the transposed problem with 'T'.
void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
            const int *lda, double *b, const int *ldb, double *work, const int *lwork, int *info);
// LAPACK: Cholesky solve of a symmetric positive definite system.
void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info);

#ifdef __cplusplus
}
#endif
#endif
#endif
