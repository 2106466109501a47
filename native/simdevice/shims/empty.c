/* A shim holds no code; it only leads the loader to the real library. */
typedef int greta_shim;
