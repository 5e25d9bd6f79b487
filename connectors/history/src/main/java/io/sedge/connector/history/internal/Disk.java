package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a store asks of the disk and tests make fail. */
interface Disk {
  /** The real one, for one store: which file system that is on is looked for once. */
  static Disk real() {
    return new Disk() {
      private @Nullable FileStore fileSystem;

      @Override
      public long usableBytes(Path directory) throws IOException {
        FileStore known = fileSystem;
        if (known == null) {
          known = Files.getFileStore(directory);
          fileSystem = known;
        }
        return known.getUsableSpace();
      }

      @Override
      public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
          at += channel.write(bytes, at);
        }
      }

      @Override
      public void force(FileChannel channel) throws IOException {
        channel.force(false);
      }
    };
  }

  /** What is free, for who is not root; one thread. */
  long usableBytes(Path directory) throws IOException;

  /** Writes all of it, or throws when some of it may be written. */
  void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException;

  /** Brings what was written to the disk; any thread. */
  void force(FileChannel channel) throws IOException;
}
