/* From settings to what connections are made from. */
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tls_parts.h"

/* Sessions made for one server are not taken by another that has the same certificate. */
static const unsigned char session_context[] = "strata";

static int password(char *buffer, int size, int is_written, void *owner) {
  (void)is_written;
  const char *text = owner;
  if (text == NULL || strlen(text) > (size_t)size) return -1;
  memcpy(buffer, text, strlen(text));
  return (int)strlen(text);
}

static void set_options(SSL_CTX *ssl, const strata_tls_settings *settings) {
  static const struct {
    int32_t protocol;
    uint64_t without;
  } protocols[] = {
      {STRATA_TLS_1_0, SSL_OP_NO_TLSv1},
      {STRATA_TLS_1_1, SSL_OP_NO_TLSv1_1},
      {STRATA_TLS_1_2, SSL_OP_NO_TLSv1_2},
      {STRATA_TLS_1_3, SSL_OP_NO_TLSv1_3},
  };
  uint64_t options = SSL_OP_NO_SSLv3 | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION;
  for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
    if ((settings->protocols & protocols[i].protocol) == 0) options |= protocols[i].without;
  }
  if (settings->prefers_own_ciphers != 0) options |= SSL_OP_CIPHER_SERVER_PREFERENCE;
  if (settings->gives_tickets == 0) options |= SSL_OP_NO_TICKET;
  SSL_CTX_set_options(ssl, options);

  /* What a session is lies in the ticket, with the client: nothing is kept here, or looked up under a lock. */
  SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
  if (settings->gives_tickets == 0) {
    SSL_CTX_set_num_tickets(ssl, 0);
  } else {
    SSL_CTX_set_timeout(ssl, (long)settings->ticket_seconds);
  }
  SSL_CTX_set_session_id_context(ssl, session_context, sizeof(session_context) - 1);

  /* A connection that does nothing holds no buffers. */
  SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);

  /* Reading stops behind each message of the protocol's own, of which a client may send any number at once. */
  SSL_CTX_clear_mode(ssl, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_verify(ssl,
                     settings->clients == STRATA_TLS_CLIENTS_KNOWN ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
                     : settings->clients == STRATA_TLS_CLIENTS_OPTIONAL ? SSL_VERIFY_PEER
                                                                        : SSL_VERIFY_NONE,
                     NULL);
}

static int set_parameters(SSL_CTX *ssl, const char *path) {
  if (path == NULL) return (int)SSL_CTX_set_dh_auto(ssl, 1);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  EVP_PKEY *parameters = NULL;
  OSSL_DECODER_CTX *decoder =
      OSSL_DECODER_CTX_new_for_pkey(&parameters, "PEM", NULL, "DH", OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS, NULL, NULL);
  int is_set = decoder != NULL && OSSL_DECODER_from_fp(decoder, file) && SSL_CTX_set0_tmp_dh_pkey(ssl, parameters);
  if (!is_set) EVP_PKEY_free(parameters);
  OSSL_DECODER_CTX_free(decoder);
  fclose(file);
  return is_set;
}

/* Returns 0, or which of the settings is not taken. */
static int32_t set_files(SSL_CTX *ssl, const strata_tls_settings *settings) {
  SSL_CTX_set_default_passwd_cb(ssl, password);
  SSL_CTX_set_default_passwd_cb_userdata(ssl, (void *)settings->key_password);
  if (SSL_CTX_use_certificate_chain_file(ssl, settings->certificate_file) <= 0) return STRATA_TLS_PROBLEM_CERTIFICATE;
  if (SSL_CTX_use_PrivateKey_file(ssl, settings->key_file, SSL_FILETYPE_PEM) <= 0) return STRATA_TLS_PROBLEM_KEY;
  SSL_CTX_set_default_passwd_cb_userdata(ssl, NULL);
  if ((settings->authorities_file != NULL || settings->authorities_folder != NULL) &&
      SSL_CTX_load_verify_locations(ssl, settings->authorities_file, settings->authorities_folder) <= 0) {
    return STRATA_TLS_PROBLEM_AUTHORITIES;
  }
  if (settings->ciphers != NULL && !SSL_CTX_set_cipher_list(ssl, settings->ciphers)) return STRATA_TLS_PROBLEM_CIPHERS;
  if (settings->ciphersuites != NULL && !SSL_CTX_set_ciphersuites(ssl, settings->ciphersuites)) {
    return STRATA_TLS_PROBLEM_CIPHERSUITES;
  }
  return set_parameters(ssl, settings->parameters_file) > 0 ? 0 : STRATA_TLS_PROBLEM_PARAMETERS;
}

static int64_t expiry_of(SSL_CTX *ssl) {
  struct tm time = {0};
  const X509 *certificate = SSL_CTX_get0_certificate(ssl);
  return certificate != NULL && ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) ? (int64_t)timegm(&time) : 0;
}

int32_t strata_tls_context_open(const strata_tls_settings *settings, strata_tls_context **context,
                                strata_tls_problem *problem) {
  *context = NULL;
  *problem = (strata_tls_problem){.setting = STRATA_TLS_PROBLEM_CONTEXT};
  strata_tls_context *made = calloc(1, sizeof(*made));
  if (made == NULL) return STRATA_TLS_E_MEMORY;
  ERR_clear_error();
  made->ssl = SSL_CTX_new(TLS_server_method());
  if (made->ssl != NULL) {
    set_options(made->ssl, settings);
    problem->setting = set_files(made->ssl, settings);
  }
  if (problem->setting != 0) {
    const unsigned long error = ERR_peek_last_error();
    if (error != 0) ERR_error_string_n(error, problem->text, sizeof(problem->text));
    ERR_clear_error();
    strata_tls_context_close(made);
    return STRATA_TLS_E_SETTINGS;
  }
  made->expiry = expiry_of(made->ssl);
  *context = made;
  return STRATA_TLS_OK;
}

int64_t strata_tls_context_expiry(const strata_tls_context *context) { return context->expiry; }

void strata_tls_context_close(strata_tls_context *context) {
  SSL_CTX_free(context->ssl); /* The connections hold it, too. */
  free(context);
}
