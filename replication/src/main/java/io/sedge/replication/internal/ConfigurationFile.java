package io.sedge.replication.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that Ratis's {@code raft-meta.conf} holds the last configuration, which says who the
 * members are. Where the disk is full while Ratis writes that file it puts an empty one in its
 * place and goes on; the log has the entry still, but once that is cut a member that starts again
 * knows nobody, itself included. So no snapshot is taken before the file holds what it should: the
 * log is cut after snapshots alone. Any thread.
 */
final class ConfigurationFile {
  private static final String NAME = "raft-meta.conf";

  private final Path file;
  private @Nullable LogEntryProto last;

  /**
   * @param directory where Ratis keeps what it knows of the group
   */
  ConfigurationFile(Path directory) {
    this.file = directory.resolve(NAME);
  }

  /** Whether there ever was a configuration. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  /** Ratis has written this entry of the log, if it could. */
  synchronized void written(long term, long index, RaftConfigurationProto configuration) {
    last =
        LogEntryProto.newBuilder()
            .setTerm(term)
            .setIndex(index)
            .setConfigurationEntry(configuration)
            .build();
  }

  /**
   * Writes what Ratis could not.
   *
   * @throws IOException if it cannot be written now either
   */
  synchronized void ensure() throws IOException {
    LogEntryProto entry = last;
    if (entry != null && index() < entry.getIndex()) {
      DurableFile.replace(file, entry.toByteArray());
    }
  }

  /** Of the entry that the file holds; -1 if there is none. */
  private long index() throws IOException {
    try {
      LogEntryProto entry = LogEntryProto.parseFrom(Files.readAllBytes(file));
      return entry.hasConfigurationEntry() ? entry.getIndex() : -1;
    } catch (NoSuchFileException | InvalidProtocolBufferException e) {
      return -1;
    }
  }
}
