package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.connector.Causes;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.RowBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Blocks of a stream that wait to be applied together.
 *
 * @param bytes what they take while they wait
 */
record Append(StreamPlan plan, List<Block> blocks, long bytes, CompletableFuture<Long> applied) {

  /**
   * A block with its rows read.
   *
   * @param version of the codec that has written it: the same rows have other bytes in another
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Block(long first, long last, int version, byte[] digest, Batch batch, int bytes) {}

  /**
   * Reads the rows of blocks.
   *
   * @throws StoreException MALFORMED
   */
  static Append of(StreamPlan plan, List<RowBlock> blocks) throws StoreException {
    RowsCodec codec = new RowsCodec(plan.schema());
    List<Block> read = new ArrayList<>(blocks.size());
    long bytes = 0;
    long after = 0;
    for (RowBlock block : blocks) {
      if (block.first() <= after) {
        throw new StoreException(
            Reason.MALFORMED,
            "a block from sequence %d on follows one that ends at %d"
                .formatted(block.first(), after));
      }
      after = block.last();
      if (after >= 1L << BlockWriter.GENERATION_SHIFT) {
        throw new StoreException(
            Reason.MALFORMED, "sequence %d is beyond what the store counts to".formatted(after));
      }
      read.add(read(plan, codec, block));
      bytes += block.size();
    }
    return new Append(plan, read, bytes, new CompletableFuture<>());
  }

  private static Block read(StreamPlan plan, RowsCodec codec, RowBlock block)
      throws StoreException {
    try {
      return new Block(
          block.first(),
          block.last(),
          block.bytes()[0],
          Hashes.digest(block.bytes()),
          codec.decode(block.rows(), block.bytes()),
          block.bytes().length);
    } catch (RuntimeException e) {
      // Bytes of another schema end a decoder in many ways.
      throw new StoreException(
          Reason.MALFORMED,
          "rows %d to %d of job %s do not have the columns %s that their stream was opened with: %s"
              .formatted(block.first(), block.last(), plan.job(), plan.schema(), Causes.text(e)),
          e);
    }
  }

  /** Ends it; whoever waits is told on a thread of their own. */
  void fail(StoreException refusal) {
    applied.completeExceptionally(refusal);
  }
}
