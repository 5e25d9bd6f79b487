package io.sedge.task;

/**
 * What a task may use of the processor. Made for one task; called by its thread alone, between its
 * turns.
 */
public interface ProcessorQuota {
  /** For how long the task is to rest now; 0 if it may go on. */
  long restNanos();

  /** The processor time that the task has used; 0 if that is not measured. */
  long cpuNanos();

  /** No bound, nothing measured. */
  ProcessorQuota FREE =
      new ProcessorQuota() {
        @Override
        public long restNanos() {
          return 0;
        }

        @Override
        public long cpuNanos() {
          return 0;
        }
      };
}
