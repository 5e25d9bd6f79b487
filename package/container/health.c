/* Asks the device of this container how it is, for probes of Kubernetes: sedge-health live, member or ready. A device answers on
 * loopback alone, where the kubelet cannot ask, and starting a virtual machine for each probe would cost more than the device.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define DEFAULT_PORT 9464

static int known(const char *question) {
  return strcmp(question, "live") == 0 || strcmp(question, "member") == 0 || strcmp(question, "ready") == 0;
}

static int fail(const char *what) {
  perror(what);
  return 1;
}

int main(int argc, char **argv) {
  int port = argc > 2 ? atoi(argv[2]) : DEFAULT_PORT;
  if (argc < 2 || argc > 3 || !known(argv[1]) || port < 1 || port > 65535) {
    fprintf(stderr, "Usage: sedge-health live|member|ready [PORT]\n\nEnds with 0 if the device that has --metrics 127.0.0.1:%d says that it is.\n",
            DEFAULT_PORT);
    return 2;
  }
  struct timeval patience = {.tv_sec = 4};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0) {
    return fail("sedge-health: no socket");
  }
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
    return fail("sedge-health: nobody answers on loopback: was the device started with --metrics?");
  }
  char request[128];
  int length = snprintf(request, sizeof request, "GET /health/%s HTTP/1.0\r\nHost: localhost\r\n\r\n", argv[1]);
  if (write(connection, request, (size_t)length) != length) {
    return fail("sedge-health: the question was not taken");
  }
  char answer[16384];
  size_t got = 0;
  ssize_t more;
  while (got < sizeof answer - 1 && (more = read(connection, answer + got, sizeof answer - 1 - got)) > 0) {
    got += (size_t)more;
  }
  answer[got] = 0;
  char *body = strstr(answer, "\r\n\r\n");
  puts(body == NULL ? "no answer" : body + 4); /* the kubelet shows it as the probe's reason */
  return strncmp(answer, "HTTP/1.", 7) == 0 && strncmp(answer + 8, " 200", 4) == 0 ? 0 : 1;
}
