package io.sedge.site.internal.operation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the disk says of a device, whether it runs or not. Files are named; read are settings, logs
 * and certificates alone, and no links: the directory may be another user's.
 */
public final class DiskTexts {
  private static final int MAX_FILES = 5_000;
  private static final int MAX_DEPTH = 8;
  private static final int MAX_BYTES = 64 << 10;
  private static final OpenOption[] READ = {StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS};

  private DiskTexts() {}

  /**
   * By the name of the file in the bundle.
   *
   * @param most of a log, of which the end is read
   */
  public static Map<String, String> of(Path data, int most) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("system.txt", system(data));
    texts.put("settings.txt", text(data.resolve("device.properties")));
    texts.put("certificates.txt", certificates(data));
    texts.put("files.txt", files(data));
    for (int i = 0; i < LogFile.FILES; i++) {
      Path log = LogFile.directory(data).resolve("device.%d.log".formatted(i));
      if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
        texts.put("log/device.%d.log".formatted(i), end(log, most));
      }
    }
    return texts;
  }

  private static String text(Path file) {
    try (InputStream input = Files.newInputStream(file, READ)) {
      return new String(input.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "cannot be read: " + e + "\n";
    }
  }

  /** The last lines of a file. */
  private static String end(Path file, int most) {
    try (SeekableByteChannel channel = Files.newByteChannel(file, Set.of(READ))) {
      long begin = Math.max(0, channel.size() - most);
      channel.position(begin);
      String text =
          new String(Channels.newInputStream(channel).readNBytes(most), StandardCharsets.UTF_8);
      // Half a line may have half a secret, which nobody would know as one.
      return begin == 0 ? text : text.substring(text.indexOf('\n') + 1);
    } catch (IOException e) {
      return "cannot be read: " + e + "\n";
    }
  }

  private static String system(Path data) {
    String disk;
    try {
      FileStore store = Files.getFileStore(data);
      disk =
          "%s (%s): %,d bytes, %,d of them usable"
              .formatted(store.name(), store.type(), store.getTotalSpace(), store.getUsableSpace());
    } catch (IOException e) {
      disk = e.toString();
    }
    Runtime runtime = Runtime.getRuntime();
    return Stream.of(
            "system      %s %s %s"
                .formatted(
                    System.getProperty("os.name"),
                    System.getProperty("os.version"),
                    System.getProperty("os.arch")),
            "java        %s (%s)"
                .formatted(
                    System.getProperty("java.vm.version"), System.getProperty("java.vm.vendor")),
            "processors  %d".formatted(runtime.availableProcessors()),
            "disk        " + disk,
            first("/usr/lib/os-release", "PRETTY_NAME"),
            first("/proc/cpuinfo", "model name"),
            first("/proc/meminfo", "MemTotal"),
            first("/proc/meminfo", "MemAvailable"),
            "load        " + text(Path.of("/proc/loadavg")).strip(),
            "uptime      " + text(Path.of("/proc/uptime")).strip())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The first line of a file that begins so. */
  private static String first(String file, String beginning) {
    return text(Path.of(file).normalize())
        .lines()
        .filter(line -> line.startsWith(beginning))
        .findFirst()
        .orElse(beginning + " is not known");
  }

  private static String certificates(Path data) {
    StringBuilder text = new StringBuilder();
    for (String name :
        List.of(
            "identity/certificate.pem", "identity/authority.pem", "authority/certificate.pem")) {
      Path file = data.resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        text.append(name).append('\n').append(certificate(file)).append('\n');
      }
    }
    return text.toString();
  }

  private static String certificate(Path file) {
    try (InputStream input = Files.newInputStream(file, READ)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return "  subject %s%n  issuer %s%n  serial %x%n  valid from %s until %s%n  SHA-256 %s%n"
          .formatted(
              certificate.getSubjectX500Principal(),
              certificate.getIssuerX500Principal(),
              certificate.getSerialNumber(),
              certificate.getNotBefore().toInstant(),
              certificate.getNotAfter().toInstant(),
              HexFormat.of().formatHex(digest));
    } catch (IOException | CertificateException | NoSuchAlgorithmException e) {
      return "  cannot be read: " + e + "\n";
    }
  }

  private static String files(Path data) {
    try (Stream<Path> files = Files.walk(data, MAX_DEPTH)) {
      return files
          .limit(MAX_FILES)
          .map(file -> file(data, file))
          .collect(Collectors.joining("\n", "", "\n"));
    } catch (IOException | UncheckedIOException e) {
      return "cannot be listed to the end: " + e + "\n";
    }
  }

  private static String file(Path data, Path file) {
    try {
      BasicFileAttributes of =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return "%,14d %s %s%s"
          .formatted(
              of.size(),
              of.lastModifiedTime(),
              data.relativize(file),
              of.isDirectory() ? "/" : of.isSymbolicLink() ? " (a link)" : "");
    } catch (IOException e) {
      return "%s: %s".formatted(data.relativize(file), e);
    }
  }
}
