package io.sedge.console.internal.page;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A file of the page, kept in the form in which it is sent as a rule. Immutable. */
public final class PageFile {
  private final String type;
  private final String tag;
  private final boolean immutable;
  private final boolean zipped;
  private final byte[] bytes;

  private PageFile(String type, String tag, boolean immutable, boolean zipped, byte[] bytes) {
    this.type = type;
    this.tag = tag;
    this.immutable = immutable;
    this.zipped = zipped;
    this.bytes = bytes;
  }

  /**
   * A file.
   *
   * @param type its media type; text is zipped
   * @param immutable whether what is at its path never changes
   */
  static PageFile of(String type, byte[] content, boolean immutable) {
    String tag = "W/\"%s\"".formatted(sha256(content).substring(0, 22));
    boolean text = !type.startsWith("image/") || type.equals("image/svg+xml");
    boolean zipped = text && !type.startsWith("font/");
    return new PageFile(type, tag, immutable, zipped, zipped ? zip(content) : content);
  }

  /** The SHA-256 of something, as a Content-Security-Policy names it. */
  static String sha256(byte[] content) {
    try {
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] zip(byte[] content) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  public String type() {
    return type;
  }

  /** Another one if the content is another. */
  public String tag() {
    return tag;
  }

  public boolean isImmutable() {
    return immutable;
  }

  /** Whether {@link #bytes} are zipped. */
  public boolean isZipped() {
    return zipped;
  }

  /** Not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** For who takes nothing zipped. */
  public byte[] plain() {
    if (!zipped) {
      return bytes;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
