package io.sedge.cli.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An alarm as somebody has seen it, written as {@code 17.2}, or {@code 17} however often it was
 * raised.
 *
 * @param raised how often it had been raised; 0 for whatever there is
 */
record AlarmId(long id, long raised) {
  @Override
  public String toString() {
    return raised == 0 ? Long.toString(id) : id + "." + raised;
  }

  /** Reads what {@link #toString} writes. */
  static final class Converter implements ITypeConverter<AlarmId> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,18}))?");

    @Override
    public AlarmId convert(String value) {
      Matcher matcher = FORM.matcher(value);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "write an alarm as `sedge alarm list` numbers it: 17.2, or 17");
      }
      String raised = matcher.group(2);
      return new AlarmId(
          Long.parseLong(matcher.group(1)), raised == null ? 0 : Long.parseLong(raised));
    }
  }
}
