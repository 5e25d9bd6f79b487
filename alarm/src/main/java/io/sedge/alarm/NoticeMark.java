package io.sedge.alarm;

/**
 * How far one way of telling people has come in a table's journal. What is being sent has its end
 * written down before, so that whoever goes on sends the same again, under the same name.
 *
 * @param begun the number of the last entry of the notice that is on its way
 * @param done the number of the last entry that was told, or given up
 * @param lost how many notices were given up
 */
public record NoticeMark(long begun, long done, long lost) {
  /** Of a way that was switched off. */
  public static final NoticeMark OFF = new NoticeMark(Long.MAX_VALUE, Long.MAX_VALUE, 0);

  public NoticeMark {
    if (done < 0 || begun < done || lost < 0) {
      throw new IllegalArgumentException(
          "notices begun up to %d and done up to %d, %d lost".formatted(begun, done, lost));
    }
  }
}
