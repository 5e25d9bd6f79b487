package io.sedge.connector;

/**
 * Keeps what sources read on this device. A {@link ConnectorFactory} that implements it is the one
 * that tables with {@code 'keep'} are kept by; a program has one at most.
 */
public interface Keeper {
  /**
   * What is to be kept.
   *
   * @param job the job's name
   * @param table the table as its connector sees it
   * @param shard which part of the table this is; one reader at a time keeps it
   */
  record Kept(String job, TableDescriptor table, String shard, Keep keep) {}

  /**
   * A reader that gives what another gives and keeps it. It keeps exactly what was committed: a
   * position that it gives says also what was kept up to there; when it is sought by the next
   * reader on this device, what was kept after it is dropped; without {@link SourceReader#seek},
   * all that is not known to be committed is. May block while another reader of the same shard
   * comes to its end.
   *
   * @param reader closed with it
   */
  SourceReader keeping(SourceReader reader, Kept kept, ConnectorContext context);
}
