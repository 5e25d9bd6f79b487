package io.sedge.center.internal.api;

import io.sedge.center.api.DiffLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How two scripts differ, by the longest common subsequence of their lines after what is the same
 * at both ends is left out. Where that is more than {@link #MAX_LINES} lines, all of it counts as
 * removed and added.
 */
final class ScriptDiff {
  static final int MAX_LINES = 2_000;

  private ScriptDiff() {}

  static List<DiffLine> of(String before, String after) {
    List<String> old = before.lines().toList();
    List<String> young = after.lines().toList();
    int shorter = Math.min(old.size(), young.size());
    int begin = 0;
    while (begin < shorter && old.get(begin).equals(young.get(begin))) {
      begin++;
    }
    int end = 0;
    while (end < shorter - begin
        && old.get(old.size() - 1 - end).equals(young.get(young.size() - 1 - end))) {
      end++;
    }
    List<DiffLine> lines = new ArrayList<>();
    add(lines, "same", old.subList(0, begin));
    lines.addAll(
        between(old.subList(begin, old.size() - end), young.subList(begin, young.size() - end)));
    add(lines, "same", old.subList(old.size() - end, old.size()));
    return lines;
  }

  private static void add(List<DiffLine> lines, String change, List<String> texts) {
    texts.forEach(text -> lines.add(new DiffLine(change, text)));
  }

  private static List<DiffLine> between(List<String> old, List<String> young) {
    List<DiffLine> lines = new ArrayList<>();
    if (old.size() > MAX_LINES || young.size() > MAX_LINES) {
      add(lines, "removed", old);
      add(lines, "added", young);
      return lines;
    }
    short[][] common = new short[old.size() + 1][young.size() + 1];
    for (int i = 0; i < old.size(); i++) {
      for (int j = 0; j < young.size(); j++) {
        common[i + 1][j + 1] =
            old.get(i).equals(young.get(j))
                ? (short) (common[i][j] + 1)
                : (short) Math.max(common[i][j + 1], common[i + 1][j]);
      }
    }
    int i = old.size();
    int j = young.size();
    while (i > 0 || j > 0) {
      if (i > 0 && j > 0 && old.get(i - 1).equals(young.get(j - 1))) {
        lines.add(new DiffLine("same", old.get(--i)));
        j--;
      } else if (j > 0 && (i == 0 || common[i][j - 1] >= common[i - 1][j])) {
        lines.add(new DiffLine("added", young.get(--j)));
      } else {
        lines.add(new DiffLine("removed", old.get(--i)));
      }
    }
    Collections.reverse(lines);
    return lines;
  }
}
