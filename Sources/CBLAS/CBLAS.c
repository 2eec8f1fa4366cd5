#include "CBLAS.h"
