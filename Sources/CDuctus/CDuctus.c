#include "ductus.h"

/* Compiled programs and other languages rely on this layout. */
_Static_assert(sizeof(ductus_point) == 32, "a point is four doubles");
_Static_assert(sizeof(ductus_span) == 24, "a span is three integers");
_Static_assert(sizeof(ductus_word) == 24, "a word is two integers and a double");
_Static_assert(sizeof(ductus_options) == 88, "options of interface 1");
_Static_assert(sizeof(ductus_export_options) == 40, "options of exports of interface 1");
