package io.sedge.ledger.internal.state;

import io.sedge.ledger.Command;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Secret;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of commands about secrets, as {@link CommandCodec} has all, and of the vault in snapshots:
 * keys of devices, then secrets as name, version (8), time (8), what is sealed, and shares.
 */
final class SecretCodec {
  // Versions before stop at these types: no device writes one before a person has set a secret.
  private static final int ANNOUNCE_KEY = 30;
  private static final int SET_SECRET = 31;
  private static final int SHARE_SECRET = 32;
  private static final int REMOVE_SECRET = 33;

  private static final int MANY = Integer.MAX_VALUE;

  private SecretCodec() {}

  static void write(Command.OfSecrets command, Encoder encoder) throws IOException {
    switch (command) {
      case Command.AnnounceKey announce -> {
        encoder.writeByte(ANNOUNCE_KEY);
        encoder.writeText(announce.device());
        encoder.writeBytes(announce.key());
      }
      case Command.SetSecret set -> {
        encoder.writeByte(SET_SECRET);
        encoder.writeText(set.secret());
        encoder.writeLong(set.atMillis());
        encoder.writeBytes(set.sealed());
        encoder.writeInt(set.shares().size());
        for (Map.Entry<String, Secret.Share> share : new TreeMap<>(set.shares()).entrySet()) {
          encoder.writeText(share.getKey());
          writeShare(share.getValue(), encoder);
        }
      }
      case Command.ShareSecret share -> {
        encoder.writeByte(SHARE_SECRET);
        encoder.writeText(share.secret());
        encoder.writeLong(share.version());
        encoder.writeText(share.device());
        writeShare(share.share(), encoder);
      }
      case Command.RemoveSecret remove -> {
        encoder.writeByte(REMOVE_SECRET);
        encoder.writeText(remove.secret());
      }
    }
  }

  /** Reads a command of a type that is none of the others'. */
  static Command read(int type, Decoder decoder) throws IOException, MalformedException {
    return switch (type) {
      case ANNOUNCE_KEY -> new Command.AnnounceKey(decoder.readText(), decoder.readBytes());
      case SET_SECRET ->
          new Command.SetSecret(
              decoder.readText(), decoder.readLong(), decoder.readBytes(), readShares(decoder));
      case SHARE_SECRET ->
          new Command.ShareSecret(
              decoder.readText(), decoder.readLong(), decoder.readText(), readShare(decoder));
      case REMOVE_SECRET -> new Command.RemoveSecret(decoder.readText());
      default -> OrderCodec.read(type, decoder);
    };
  }

  private static void writeShare(Secret.Share share, Encoder encoder) throws IOException {
    encoder.writeBytes(share.recipient());
    encoder.writeBytes(share.bytes());
  }

  private static Secret.Share readShare(Decoder decoder) throws IOException, MalformedException {
    return new Secret.Share(decoder.readBytes(), decoder.readBytes());
  }

  private static Map<String, Secret.Share> readShares(Decoder decoder)
      throws IOException, MalformedException {
    int count = decoder.readCount(3 * Integer.BYTES, Secret.MAX_SHARES);
    Map<String, Secret.Share> shares = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      shares.put(decoder.readText(), readShare(decoder));
    }
    return shares;
  }

  static void writeVault(Vault vault, Encoder encoder) throws IOException {
    encoder.writeArrays(vault.keys);
    encoder.writeInt(vault.secrets.size());
    for (Vault.Entry secret : vault.secrets.values()) {
      encoder.writeText(secret.name);
      encoder.writeLong(secret.version);
      encoder.writeLong(secret.setAtMillis);
      encoder.writeBytes(secret.sealed);
      encoder.writeArrays(secret.shares);
    }
  }

  static void readVault(Vault vault, Decoder decoder) throws IOException, MalformedException {
    vault.keys.putAll(decoder.readArrays(MANY));
    int secrets = decoder.readCount(1, Secret.MAX_SECRETS);
    for (int i = 0; i < secrets; i++) {
      Vault.Entry secret =
          new Vault.Entry(
              decoder.readText(), decoder.readLong(), decoder.readLong(), decoder.readBytes());
      secret.shares.putAll(decoder.readArrays(MANY));
      vault.secrets.put(secret.name, secret);
    }
  }
}
