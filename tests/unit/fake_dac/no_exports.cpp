// What     A shared library that is no data access library at all.
extern "C" __attribute__((visibility("default"))) int something_else() {
    return 1;
}
