package io.sedge.engine.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The codes of byte sequences: a hash table with open addressing and linear probing, at most half
 * full. The bytes of all keys stand one after the other in one array.
 */
final class Utf8Index {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** An odd constant without structure: the golden ratio in 64 bits. */
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private int mask = 63;

  /** By slot: the entry plus one, or 0 where the slot is free. */
  private int[] slots = new int[mask + 1];

  private int entries;
  private int[] hashes = new int[32];
  private int[] codes = new int[32];

  /** By entry: where its key begins; it ends where the next begins. */
  private int[] begins = new int[33];

  private byte[] keys = new byte[512];

  /** Takes eight bytes at a time; short keys take two overlapping reads at most. */
  static int hash(byte[] bytes, int from, int to) {
    int length = to - from;
    long hash = length * MIX;
    if (length >= 8) {
      for (int i = from; i < to - 8; i += 8) {
        hash = (hash ^ (long) LONGS.get(bytes, i)) * MIX;
        hash ^= hash >>> 32;
      }
      hash = (hash ^ (long) LONGS.get(bytes, to - 8)) * MIX;
    } else if (length >= 4) {
      long head = (int) INTS.get(bytes, from) & 0xFFFFFFFFL;
      long tail = (int) INTS.get(bytes, to - 4) & 0xFFFFFFFFL;
      hash = (hash ^ (head << 32 | tail)) * MIX;
    } else {
      for (int i = from; i < to; i++) {
        hash = (hash ^ bytes[i]) * MIX;
      }
    }
    // A product's high bits know all of the input, its low bits only the low ones: fold, then mix.
    hash = (hash ^ (hash >>> 32)) * MIX;
    return (int) (hash >>> 32);
  }

  /** The code of the key, or -1. */
  int find(byte[] bytes, int from, int to, int hash) {
    int slot = hash & mask;
    while (true) {
      int entry = slots[slot] - 1;
      if (entry < 0) {
        return -1;
      }
      if (hashes[entry] == hash && isKey(entry, bytes, from, to)) {
        return codes[entry];
      }
      slot = slot + 1 & mask;
    }
  }

  /** Compares eight bytes at a time, as {@link #hash} reads them. */
  private boolean isKey(int entry, byte[] bytes, int from, int to) {
    int begin = begins[entry];
    int length = to - from;
    if (begins[entry + 1] - begin != length) {
      return false;
    }
    if (length >= 8) {
      int last = length - 8;
      for (int i = 0; i < last; i += 8) {
        if ((long) LONGS.get(bytes, from + i) != (long) LONGS.get(keys, begin + i)) {
          return false;
        }
      }
      return (long) LONGS.get(bytes, from + last) == (long) LONGS.get(keys, begin + last);
    }
    for (int i = 0; i < length; i++) {
      if (bytes[from + i] != keys[begin + i]) {
        return false;
      }
    }
    return true;
  }

  /** Adds a key that is not there yet. */
  void put(byte[] bytes, int from, int to, int hash, int code) {
    if (entries * 2 > mask) {
      rehash();
    }
    if (entries == codes.length) {
      hashes = Arrays.copyOf(hashes, entries * 2);
      codes = Arrays.copyOf(codes, entries * 2);
      begins = Arrays.copyOf(begins, entries * 2 + 1);
    }
    int begin = begins[entries];
    int end = begin + to - from;
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, keys.length * 2));
    }
    System.arraycopy(bytes, from, keys, begin, to - from);
    hashes[entries] = hash;
    codes[entries] = code;
    begins[entries + 1] = end;
    occupy(hash, entries + 1);
    entries++;
  }

  private void rehash() {
    mask = mask * 2 + 1;
    slots = new int[mask + 1];
    for (int entry = 0; entry < entries; entry++) {
      occupy(hashes[entry], entry + 1);
    }
  }

  private void occupy(int hash, int value) {
    int slot = hash & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
  }
}
