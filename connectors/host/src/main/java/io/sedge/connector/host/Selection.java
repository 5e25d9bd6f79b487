package io.sedge.connector.host;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which quantities a table wants: lists of patterns, separated by semicolons, in which {@code *}
 * stands for any characters and {@code ?} for one.
 */
final class Selection {
  private final List<Pattern> wanted;
  private final List<Pattern> unwanted;

  Selection(String wanted, String unwanted) {
    this.wanted = patterns(wanted);
    this.unwanted = patterns(unwanted);
  }

  boolean wants(Quantity quantity) {
    return anyMatches(wanted, quantity.name()) && !anyMatches(unwanted, quantity.name());
  }

  private static boolean anyMatches(List<Pattern> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
  }

  private static List<Pattern> patterns(String list) {
    return Arrays.stream(list.split(";", -1))
        .map(String::trim)
        .filter(glob -> !glob.isEmpty())
        .map(Selection::pattern)
        .toList();
  }

  private static Pattern pattern(String glob) {
    return Pattern.compile(
        glob.chars()
            .mapToObj(
                c ->
                    switch (c) {
                      case '*' -> ".*";
                      case '?' -> ".";
                      default -> Pattern.quote(Character.toString(c));
                    })
            .collect(Collectors.joining()));
  }
}
