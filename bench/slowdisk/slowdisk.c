// Runs a command for which each fsync and fdatasync takes longer, as on a slower disk: one after the other, on whatever
// threads. All else goes on at its own speed: the kernel stops those calls alone, and asks this program's other process
// (seccomp, SECCOMP_RET_USER_NOTIF), which sleeps and lets them go on. The command has this program's process id.
//
// Usage: slowdisk MICROSECONDS COMMAND [ARGUMENT]...
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAILED = 127, US_PER_SECOND = 1000000, NS_PER_US = 1000 };

// A message that carries a file descriptor.
struct parcel {
  char byte;
  struct iovec part;
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct msghdr header;
};

static void fail(const char *what) {
  perror(what);
  exit(FAILED);
}

static void prepare(struct parcel *parcel) {
  memset(parcel, 0, sizeof *parcel);
  parcel->part = (struct iovec){&parcel->byte, 1};
  parcel->header.msg_iov = &parcel->part;
  parcel->header.msg_iovlen = 1;
  parcel->header.msg_control = parcel->control.bytes;
  parcel->header.msg_controllen = sizeof parcel->control.bytes;
}

static void send_descriptor(int socket, int descriptor) {
  struct parcel parcel;
  prepare(&parcel);
  struct cmsghdr *header = CMSG_FIRSTHDR(&parcel.header);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (sendmsg(socket, &parcel.header, 0) != 1) fail("slowdisk: sendmsg");
}

static int receive_descriptor(int socket) {
  struct parcel parcel;
  prepare(&parcel);
  if (recvmsg(socket, &parcel.header, 0) != 1 || CMSG_FIRSTHDR(&parcel.header) == NULL) {
    exit(FAILED);  // The other process has told why.
  }
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&parcel.header)), sizeof descriptor);
  return descriptor;
}

// Lets calls go on after a while, until the command has ended.
static void delay(int listener, struct timespec delay) {
  while (true) {
    struct pollfd poll_for = {.fd = listener, .events = POLLIN};
    if (poll(&poll_for, 1, -1) < 0) {
      if (errno == EINTR) continue;
      fail("slowdisk: poll");
    }
    if ((poll_for.revents & POLLIN) == 0) return;
    struct seccomp_notif call;
    memset(&call, 0, sizeof call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) continue;  // It was killed meanwhile.
    nanosleep(&delay, NULL);
    struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);  // Likewise.
  }
}

// Has the kernel stop the calls of this process.
static int listen_to_syncs(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fdatasync, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("slowdisk: prctl");
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0) fail("slowdisk: the kernel does not let calls be stopped here: seccomp");
  return (int)listener;
}

int main(int count, char **arguments) {
  char *end = NULL;
  long us = count < 3 ? -1 : strtol(arguments[1], &end, 10);
  if (us < 0 || us > INT_MAX || *end != '\0') {
    fprintf(stderr, "usage: slowdisk MICROSECONDS COMMAND [ARGUMENT]...\n");
    return FAILED;
  }

  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) fail("slowdisk: socketpair");
  pid_t child = fork();
  if (child < 0) fail("slowdisk: fork");
  if (child == 0) {
    if (fork() != 0) _exit(0);  // The command is to have no child that it does not know.
    close(sockets[0]);
    int listener = receive_descriptor(sockets[1]);
    close(sockets[1]);

    // Not where the command is pinned to: it would take its processor's time.
    cpu_set_t all;
    memset(&all, 0xFF, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
    delay(listener, (struct timespec){us / US_PER_SECOND, us % US_PER_SECOND * NS_PER_US});
    return 0;
  }

  waitpid(child, NULL, 0);
  close(sockets[1]);
  int listener = listen_to_syncs();
  send_descriptor(sockets[0], listener);
  close(listener);
  close(sockets[0]);
  execvp(arguments[2], arguments + 2);
  fail(arguments[2]);
}
