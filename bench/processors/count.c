// A plugin for qemu that counts the instructions of a program and writes their number into a file. One thread alone is
// counted exactly: the sum is not atomic. The declarations are those of qemu's plugins, version 1.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add, void *sum, uint64_t n);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*ended)(uint64_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

#define VISIBLE __attribute__((visibility("default")))

VISIBLE int qemu_plugin_version = 1;

static uint64_t sum;
static const char *path;

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &sum, qemu_plugin_tb_n_insns(block));
}

static void ended(uint64_t id, void *unused) {
  (void)id, (void)unused;
  FILE *file = fopen(path, "w");
  if (file != NULL) {
    fprintf(file, "%llu\n", (unsigned long long)sum);
    fclose(file);
  }
}

VISIBLE int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  (void)info;
  if (argc != 1 || strchr(argv[0], '=') == NULL) {
    return -1;
  }
  path = strchr(argv[0], '=') + 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
