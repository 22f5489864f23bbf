/* What Debian's HDF5 asks libcurl and libcrypto for, to read files from S3. Nothing here does that, so the wheel has
 * these instead of the two libraries and the thirty below them: every answer is "failed". scripts/wheel.sh */
#include <stddef.h>

#ifdef CURL
int curl_global_init(long flags) { return (void)flags, 2; /* CURLE_FAILED_INIT */ }
void curl_global_cleanup(void) {}
void *curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void *handle) { (void)handle; }
int curl_easy_setopt(void *handle, int option, ...) { return (void)handle, (void)option, 2; }
int curl_easy_perform(void *handle) { return (void)handle, 2; }
void *curl_slist_append(void *list, const char *text) { return (void)list, (void)text, NULL; }
void curl_slist_free_all(void *list) { (void)list; }
#else
const void *EVP_sha256(void) { return NULL; }
unsigned char *HMAC(const void *kind, const void *key, int key_length, const unsigned char *data, size_t length,
                    unsigned char *digest, unsigned *digest_length) {
  return (void)kind, (void)key, (void)key_length, (void)data, (void)length, (void)digest, (void)digest_length, NULL;
}
unsigned char *SHA256(const unsigned char *data, size_t length, unsigned char *digest) {
  return (void)data, (void)length, (void)digest, NULL;
}
#endif
