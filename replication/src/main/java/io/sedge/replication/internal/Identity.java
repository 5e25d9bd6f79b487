package io.sedge.replication.internal;

import io.sedge.replication.LedgerException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Properties;
import java.util.UUID;

/**
 * Who a member is: written once, before anything else, into {@code member.properties}. Its id ends
 * in a random part, so that a device whose disk was wiped comes back as another member: one that
 * has forgotten its votes must not vote again.
 *
 * @param founder whether it began the site, alone
 */
record Identity(String id, UUID site, boolean voter, boolean founder) {
  private static final String FILE = "member.properties";
  private static final int RANDOM_BYTES = 4;

  static Identity create(String name, UUID site, boolean voter, boolean founder) {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String plain = name.replaceAll("[^A-Za-z0-9_]", "_");
    return new Identity(plain + "-" + HexFormat.of().formatHex(random), site, voter, founder);
  }

  static boolean existsIn(Path directory) {
    return Files.exists(directory.resolve(FILE));
  }

  void writeTo(Path directory) throws LedgerException {
    if (existsIn(directory)) {
      throw new LedgerException(
          "%s has a ledger already; go on with it, or name another directory".formatted(directory));
    }
    Properties properties = new Properties();
    properties.setProperty("version", "1");
    properties.setProperty("id", id);
    properties.setProperty("site", site.toString());
    properties.setProperty("voter", Boolean.toString(voter));
    properties.setProperty("founder", Boolean.toString(founder));
    try {
      Files.createDirectories(directory);
      StringWriter text = new StringWriter();
      properties.store(
          text, "Who this member of the site's ledger is. Not to be copied or changed.");
      DurableFile.replace(
          directory.resolve(FILE), text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new LedgerException("making a ledger in %s: %s".formatted(directory, e), e);
    }
  }

  static Identity readFrom(Path directory) throws LedgerException {
    if (!existsIn(directory)) {
      throw new LedgerException(
          "%s has no ledger; found a site there, or join one".formatted(directory));
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(directory.resolve(FILE))) {
      properties.load(reader);
      return new Identity(
          text(properties, "id"),
          UUID.fromString(text(properties, "site")),
          Boolean.parseBoolean(text(properties, "voter")),
          Boolean.parseBoolean(text(properties, "founder")));
    } catch (IOException | IllegalArgumentException e) {
      throw new LedgerException(
          "%s is damaged (%s): remove this member and let the device join anew"
              .formatted(directory.resolve(FILE), e.getMessage()),
          e);
    }
  }

  private static String text(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }
}
