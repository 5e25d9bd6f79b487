package io.sedge.cli.internal.connect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names that are alike but for some of their parts.
 *
 * @param pattern with a {@code {levelN}} for each part in which they differ
 * @param columns the names in the braces
 * @param members in the order of their names
 */
record Group(String pattern, List<String> columns, List<Sample> members) {
  Group {
    columns = List.copyOf(columns);
    members = List.copyOf(members);
  }

  /** How names are cut into parts, and which belong together. */
  interface Cut {
    /** What all names of a group begin with, which is not cut. */
    String prefix(String name);

    /** A regular expression of what stands between parts; one character. */
    String separator();

    /** What else the members of a group have in common. */
    String kind(Sample sample, List<String> parts);
  }

  /** The groups, the largest first. */
  static List<Group> of(List<Sample> samples, Cut cut) {
    Map<List<Object>, List<Sample>> byKey = new LinkedHashMap<>();
    for (Sample sample : samples) {
      String prefix = cut.prefix(sample.name());
      List<String> parts = parts(sample.name().substring(prefix.length()), cut);
      List<Object> key = List.of(prefix, parts.size(), cut.kind(sample, parts));
      byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(sample);
    }
    return byKey.values().stream()
        .map(members -> group(members, cut))
        .sorted((a, b) -> Integer.compare(b.members().size(), a.members().size()))
        .toList();
  }

  private static List<String> parts(String name, Cut cut) {
    return List.of(name.split(cut.separator(), -1));
  }

  private static Group group(List<Sample> members, Cut cut) {
    String first = members.getFirst().name();
    String prefix = cut.prefix(first);
    String rest = first.substring(prefix.length());
    List<String> parts = parts(rest, cut);
    List<String> columns = new ArrayList<>();
    StringBuilder pattern = new StringBuilder(prefix);
    int at = 0;
    for (int i = 0; i < parts.size(); i++) {
      int part = i;
      Set<String> values = new LinkedHashSet<>();
      members.forEach(
          member -> values.add(parts(member.name().substring(prefix.length()), cut).get(part)));
      if (values.size() > 1) {
        String column = "level" + (i + 1);
        columns.add(column);
        pattern.append('{').append(column).append('}');
      } else {
        pattern.append(parts.get(i));
      }
      at += parts.get(i).length();
      if (at < rest.length()) {
        pattern.append(rest.charAt(at));
        at++;
      }
    }
    return new Group(pattern.toString(), columns, members);
  }

  /** How many messages its members had. */
  long count() {
    return members.stream().mapToLong(Sample::count).sum();
  }
}
