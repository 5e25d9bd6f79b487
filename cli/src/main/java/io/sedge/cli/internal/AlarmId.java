package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,18}))?");

  @Override
  public String toString() {
    return raised == 0 ? Long.toString(id) : id + "." + raised;
  }

  /**
   * Reads several, each once. Not a converter: where an argument may be repeated, picocli takes a
   * text that is refused for an argument that there is not.
   *
   * @param list the command that shows alarms with their numbers
   * @throws SiteException USAGE, with how an alarm is written
   */
  static List<AlarmId> all(List<String> texts, String list) throws SiteException {
    Set<AlarmId> all = new LinkedHashSet<>();
    for (String text : texts) {
      try {
        all.add(of(text));
      } catch (TypeConversionException _) {
        throw new SiteException(
            FailureCode.USAGE,
            "ID=%s is not the number of an alarm: write it as `%s` shows it in column ID, 17.2 or 17"
                .formatted(Printable.text(text), list));
      }
    }
    return List.copyOf(all);
  }

  private static AlarmId of(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "write an alarm as `sedge alarm list` shows it in column ID, 17.2 or 17");
    }
    String raised = matcher.group(2);
    return new AlarmId(
        Long.parseLong(matcher.group(1)), raised == null ? 0 : Long.parseLong(raised));
  }

  /** Reads what {@link #toString} writes. */
  static final class Converter implements ITypeConverter<AlarmId> {
    @Override
    public AlarmId convert(String value) {
      return of(value);
    }
  }
}
