package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a store asks of the disk and tests make fail. */
interface Disk {
  /** The real one. */
  Disk REAL =
      new Disk() {
        @Override
        public long usableBytes(Path directory) throws IOException {
          return Files.getFileStore(directory).getUsableSpace();
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

  /** What is free, for who is not root. */
  long usableBytes(Path directory) throws IOException;

  /** Writes all of it, or throws when some of it may be written. */
  void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException;

  /** Brings what was written to the disk; any thread. */
  void force(FileChannel channel) throws IOException;
}
