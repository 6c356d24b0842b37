/* What the parts of the library share. */
#ifndef STRATA_TLS_PARTS_H
#define STRATA_TLS_PARTS_H

#include <openssl/ssl.h>

#include "tls.h"

struct strata_tls_context {
  SSL_CTX *ssl;
  int64_t expiry;
};

#endif
