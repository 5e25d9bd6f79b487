package io.sedge.sql;

import io.sedge.connector.TableDescriptor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * <code>&#36;{secret:NAME}</code> in the options of tables: the value of a secret, which takes its
 * place where a table is opened and nowhere else. In other strings of a script it is plain text.
 */
public final class SecretReferences {
  /** What stands before the name. */
  public static final String KIND = "secret";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{" + KIND + ":([^}']*)}");

  private SecretReferences() {}

  /** Gives the value of a secret. */
  @FunctionalInterface
  public interface Values<E extends Exception> {
    String value(String name) throws E;
  }

  /** Whether a secret may be called so. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** What a name of a secret is made of, for messages. */
  public static String rule() {
    return "1 to 64 letters, digits, '.', '_' and '-', a letter first";
  }

  /** How a script names a secret. */
  public static String reference(String name) {
    return "${%s:%s}".formatted(KIND, name);
  }

  /** The secrets that the strings of a script name, whether its tables are used or not. */
  public static Set<String> in(String script) {
    return ScriptVariables.references(KIND, script);
  }

  /** The secrets that the tables of a job name: option keys by secret. */
  public static Map<String, Set<String>> of(Job job) {
    Map<String, Set<String>> keys = new TreeMap<>();
    job.sources().values().forEach(source -> collect(source.table(), keys));
    job.sinks().values().forEach(sink -> collect(sink.table(), keys));
    return keys;
  }

  private static void collect(TableDescriptor table, Map<String, Set<String>> keys) {
    table
        .options()
        .forEach(
            (key, value) ->
                names(value)
                    .forEach(
                        name ->
                            keys.computeIfAbsent(name, _ -> new TreeSet<>())
                                .add(table.name() + "." + key)));
  }

  /** The secrets that the value of an option names. */
  public static Set<String> names(String value) {
    Set<String> names = new LinkedHashSet<>();
    Matcher matcher = REFERENCE.matcher(value);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** The same table with values in the place of names. */
  public static <E extends Exception> TableDescriptor resolve(
      TableDescriptor table, Values<E> values) throws E {
    Map<String, String> options = new HashMap<>();
    for (Map.Entry<String, String> option : table.options().entrySet()) {
      options.put(option.getKey(), resolve(option.getValue(), values));
    }
    return options.equals(table.options())
        ? table
        : new TableDescriptor(
            table.name(),
            table.schema(),
            table.metadata(),
            table.primaryKey(),
            table.partitionKeys(),
            options,
            table.location());
  }

  private static <E extends Exception> String resolve(String option, Values<E> values) throws E {
    StringBuilder resolved = new StringBuilder();
    Matcher matcher = REFERENCE.matcher(option);
    int copied = 0;
    while (matcher.find()) {
      resolved.append(option, copied, matcher.start()).append(values.value(matcher.group(1)));
      copied = matcher.end();
    }
    return resolved.append(option, copied, option.length()).toString();
  }
}
