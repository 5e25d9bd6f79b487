package io.sedge.ledger;

/**
 * A part of the input of a job, as it was cut.
 *
 * @param table the source table
 * @param name unique among the parts of the table
 * @param range what it is of the input, in the form of the table's connector
 * @param bytes how much there is to read, about
 */
public record InputPart(String table, String name, String range, long bytes) {
  public InputPart {
    Names.check(table, "table");
    Names.check(name, "part");
    if (bytes < 0) {
      throw new IllegalArgumentException("part %s has %d bytes".formatted(name, bytes));
    }
  }

  /** What its task is called in the job. */
  public String shard() {
    return table + "/" + name;
  }
}
