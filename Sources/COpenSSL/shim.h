#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/* Function-like macros, which Swift does not import. */

static inline int copenssl_set_server_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int copenssl_set_versions(SSL_CTX *context, int least, int most) {
  return SSL_CTX_set_min_proto_version(context, least) &&
         SSL_CTX_set_max_proto_version(context, most);
}

/* What a read from an empty memory BIO returns: -1 is "try again", 0 is the
   end. */
static inline void copenssl_set_empty_result(BIO *memory, int result) {
  BIO_set_mem_eof_return(memory, result);
}

/* SSL_OP_BIT casts, and so do the calls that take a mode. */

static inline void copenssl_set_common_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline void copenssl_set_server_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
