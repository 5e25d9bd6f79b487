package io.sedge.ledger.internal.state;

import io.sedge.ledger.Secret;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sealed secrets, and the keys of the devices that they are sealed for. */
final class Vault {
  /** The public key of each device that has told it. */
  final NavigableMap<String, byte[]> keys = new TreeMap<>();

  final NavigableMap<String, Entry> secrets = new TreeMap<>();

  /** A secret, as it changes. */
  static final class Entry {
    final String name;
    final long version;
    final long setAtMillis;
    final byte[] sealed;
    final NavigableMap<String, byte[]> shares = new TreeMap<>();

    Entry(String name, long version, long setAtMillis, byte[] sealed) {
      this.name = name;
      this.version = version;
      this.setAtMillis = setAtMillis;
      this.sealed = sealed;
    }
  }

  List<Secret> secrets() {
    List<Secret> views = new ArrayList<>(secrets.size());
    for (Entry entry : secrets.values()) {
      views.add(
          new Secret(entry.name, entry.version, entry.setAtMillis, entry.sealed, entry.shares));
    }
    return views;
  }

  boolean isKeyOf(String device, byte[] key) {
    byte @Nullable [] known = keys.get(device);
    return known != null && Arrays.equals(known, key);
  }

  /** Takes a device's key; one that it had before is of no use any more, nor what it opens. */
  void announce(String device, byte[] key) {
    if (!isKeyOf(device, key)) {
      shutOut(device);
      keys.put(device, key);
    }
  }

  /** Nothing is sealed for a device any more. */
  void shutOut(String device) {
    keys.remove(device);
    secrets.values().forEach(entry -> entry.shares.remove(device));
  }
}
