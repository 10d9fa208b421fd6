// libfaultline-openssl.so and libfaultline-opencrypto.so: OpenSSL under the names that civetweb loads at run time,
// libssl.so and libcrypto.so, which distributions keep in a package for programmers; and with a function that civetweb
// demands and OpenSSL 3 has renamed.
extern "C" {

void* SSL_get1_peer_certificate(const void* ssl);

__attribute__((visibility("default"))) void* SSL_get_peer_certificate(const void* ssl) {
  return SSL_get1_peer_certificate(ssl);
}
}
