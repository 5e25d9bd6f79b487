package io.sedge.tensor.resolver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short forms: {@code n[1-3,7],m5} for hosts, {@code 2(x3),1} for tasks per host. */
final class HostLists {
  /** More than the largest clusters; a guard against a mistyped range. */
  static final int MOST_ITEMS = 65_536;

  private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9._-]+");
  private static final Pattern BRACKETS = Pattern.compile("([A-Za-z0-9._-]*)\\[([0-9,-]+)]");
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(-([0-9]{1,9}))?");
  private static final Pattern COUNT = Pattern.compile("([0-9]{1,6})(\\(x([0-9]{1,6})\\))?");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+|[^0-9]+");

  /** Host names with the numbers in them compared as numbers, as Slurm itself sorts them. */
  static final Comparator<String> BY_NUMBER =
      ((Comparator<String>) HostLists::compareByNumber).thenComparing(Comparator.naturalOrder());

  private HostLists() {}

  /**
   * The hosts of a list, in its order. A range that goes down has none, as in TensorFlow; several
   * brackets in one name are multiplied, as in Slurm.
   *
   * @throws IllegalArgumentException if the text is no list, or one of too many hosts
   */
  static List<String> expand(String list) {
    List<String> hosts = new ArrayList<>();
    if (list.isEmpty()) {
      return hosts;
    }
    for (String item : items(list)) {
      hosts.addAll(expandItem(item, list));
      checkSize(hosts.size(), list);
    }
    return hosts;
  }

  /**
   * The numbers of tasks, one for each host.
   *
   * @throws IllegalArgumentException if the text is no such list, or one of too many tasks
   */
  static List<Integer> expandCounts(String list) {
    List<Integer> counts = new ArrayList<>();
    int sum = 0;
    for (String item : list.split(",", -1)) {
      Matcher count = COUNT.matcher(item);
      if (!count.matches()) {
        throw new IllegalArgumentException("Invalid tasks per node list format \"" + list + "\"");
      }
      int tasks = Integer.parseInt(count.group(1));
      int times = count.group(3) == null ? 1 : Integer.parseInt(count.group(3));
      checkSize(
          Math.max(
              counts.size() + times, (int) Math.min(Integer.MAX_VALUE, sum + (long) tasks * times)),
          list);
      sum += tasks * times;
      for (int time = 0; time < times; time++) {
        counts.add(tasks);
      }
    }
    return counts;
  }

  /** What stands between the commas outside of brackets. */
  private static List<String> items(String list) {
    List<String> items = new ArrayList<>();
    int begin = 0;
    int depth = 0;
    for (int at = 0; at < list.length(); at++) {
      char character = list.charAt(at);
      depth += character == '[' ? 1 : character == ']' ? -1 : 0;
      if (character == ',' && depth == 0) {
        items.add(list.substring(begin, at));
        begin = at + 1;
      }
    }
    items.add(list.substring(begin));
    return items;
  }

  private static List<String> expandItem(String item, String list) {
    if (LITERAL.matcher(item).matches()) {
      return List.of(item);
    }
    List<String> hosts = List.of("");
    Matcher brackets = BRACKETS.matcher(item);
    int end = 0;
    while (brackets.find() && brackets.start() == end) {
      hosts = multiply(hosts, brackets.group(1), numbers(brackets.group(2), list), list);
      end = brackets.end();
    }
    if (end == 0 || end < item.length()) {
      throw invalid(list);
    }
    return hosts;
  }

  private static List<String> multiply(
      List<String> heads, String middle, List<String> tails, String list) {
    checkSize((int) Math.min(Integer.MAX_VALUE, (long) heads.size() * tails.size()), list);
    List<String> hosts = new ArrayList<>();
    for (String head : heads) {
      for (String tail : tails) {
        hosts.add(head + middle + tail);
      }
    }
    return hosts;
  }

  /** The numbers of a bracket, each as wide as the first of its range. */
  private static List<String> numbers(String ranges, String list) {
    List<String> numbers = new ArrayList<>();
    for (String text : ranges.split(",", -1)) {
      Matcher range = RANGE.matcher(text);
      if (!range.matches()) {
        throw invalid(list);
      }
      String first = range.group(1);
      int from = Integer.parseInt(first);
      int to = range.group(3) == null ? from : Integer.parseInt(range.group(3));
      checkSize(numbers.size() + Math.max(0, to - from), list);
      for (int number = from; number <= to; number++) {
        String digits = Integer.toString(number);
        numbers.add("0".repeat(Math.max(0, first.length() - digits.length())) + digits);
      }
    }
    return numbers;
  }

  private static void checkSize(int size, String list) {
    if (size > MOST_ITEMS) {
      throw new IllegalArgumentException("The list \"" + list + "\" names more than " + MOST_ITEMS);
    }
  }

  private static IllegalArgumentException invalid(String list) {
    return new IllegalArgumentException("Invalid hostlist format \"" + list + "\"");
  }

  private static int compareByNumber(String one, String other) {
    Matcher left = DIGITS.matcher(one);
    Matcher right = DIGITS.matcher(other);
    while (left.find()) {
      if (!right.find()) {
        return 1;
      }
      int order = comparePart(left.group(), right.group());
      if (order != 0) {
        return order;
      }
    }
    return right.find() ? -1 : 0;
  }

  private static int comparePart(String one, String other) {
    if (!Character.isDigit(one.charAt(0)) || !Character.isDigit(other.charAt(0))) {
      return one.compareTo(other);
    }
    String left = one.replaceFirst("^0+(?=.)", "");
    String right = other.replaceFirst("^0+(?=.)", "");
    int order = Integer.compare(left.length(), right.length());
    return order == 0 ? left.compareTo(right) : order;
  }
}
