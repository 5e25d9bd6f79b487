package io.sedge.connector.filesystem.internal;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a file holds, unpacked. How it is packed is told by its first bytes, not by its name. A
 * packed file that ends before its content does gives an {@link EOFException} there.
 *
 * @param channel what the stream reads, if its bytes are those of the content; null if it is packed
 */
record FileContent(InputStream stream, @Nullable FileChannel channel) {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  /** A file of zstd may want so many bytes before it, as a power of two: up to its level 19. */
  private static final int ZSTD_WINDOW_LOG = 23;

  /**
   * Opens a file.
   *
   * @throws RecordFile.IncompleteException if it is packed and nothing of its content is there yet
   */
  static FileContent open(Path path) throws IOException {
    InputStream raw = Files.newInputStream(path);
    try {
      BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES);
      buffered.mark(ZSTD.length);
      byte[] first = buffered.readNBytes(ZSTD.length);
      buffered.reset();
      if (begins(first, GZIP)) {
        return new FileContent(new GZIPInputStream(buffered, BUFFER_BYTES), null);
      }
      if (begins(first, ZSTD)) {
        ZstdInputStreamNoFinalizer unpacked = new ZstdInputStreamNoFinalizer(buffered);
        return new FileContent(new ZstdStream(unpacked.setLongMax(ZSTD_WINDOW_LOG)), null);
      }
      if ((first.length > 1 && begins(ZSTD, first)) || (first.length == 1 && first[0] == GZIP[0])) {
        throw new EOFException();
      }
      raw.close();
      // It may be read on after its end, and skips quickly.
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      return new FileContent(Channels.newInputStream(channel), channel);
    } catch (EOFException e) {
      raw.close();
      throw new RecordFile.IncompleteException(e);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  private static boolean begins(byte[] bytes, byte[] with) {
    return bytes.length >= with.length
        && Arrays.equals(bytes, 0, with.length, with, 0, with.length);
  }

  /** Says the end of a file that is not complete as the JDK's streams do. */
  private static final class ZstdStream extends FilterInputStream {
    ZstdStream(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (ZstdIOException e) {
        if (String.valueOf(e.getMessage()).contains("Truncated")) {
          throw new EOFException();
        }
        throw e;
      }
    }
  }
}
