package io.sedge.connector.modbus.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The requests that read a table's fields. Immutable.
 *
 * <p>Fields of one kind are taken in the order of their addresses. A field joins the request before
 * it if no more than the gap allowed lies between them and the request stays within its limit.
 * Going on greedily gives the fewest requests, since a request that begins at its first field
 * covers the most if it ends as late as it may.
 *
 * @param reads in the order in which they are sent
 */
record ReadPlan(List<Read> reads) {
  /** The most registers that an answer holds; 16 bits count as one. */
  static final int MAX_REGISTERS = 125;

  ReadPlan {
    reads = List.copyOf(reads);
  }

  /**
   * One request.
   *
   * @param overGaps whether it reads what no field asks for
   */
  record Read(Span span, List<Placed> fields, boolean overGaps) {
    Read {
      fields = List.copyOf(fields);
    }
  }

  /**
   * A field in an answer.
   *
   * @param offset how far from the first register, or bit, of the request
   */
  record Placed(Field field, int offset) {}

  /**
   * Plans.
   *
   * @param maxGap how many registers may be read over between two fields; 16 bits count as one
   * @param maxRegisters how many a request may have; any field has fewer
   */
  static ReadPlan of(List<Field> fields, int maxGap, int maxRegisters) {
    Map<RegisterKind, List<Field>> byKind = new EnumMap<>(RegisterKind.class);
    for (Field field : fields) {
      byKind.computeIfAbsent(field.register().span().kind(), kind -> new ArrayList<>()).add(field);
    }
    List<Read> reads = new ArrayList<>();
    byKind.forEach(
        (kind, of) -> {
          of.sort(Comparator.comparingInt(field -> field.register().span().address()));
          plan(of, maxGap * kind.perRegister(), maxRegisters * kind.perRegister(), reads);
        });
    return new ReadPlan(reads);
  }

  private static void plan(List<Field> sorted, int maxGap, int maxCount, List<Read> reads) {
    List<Field> together = new ArrayList<>();
    int begin = 0;
    int end = 0;
    boolean overGaps = false;
    for (Field field : sorted) {
      Span span = field.register().span();
      int gap = span.address() - end;
      if (!together.isEmpty() && (gap > maxGap || Math.max(end, span.end()) - begin > maxCount)) {
        reads.add(read(together, begin, end, overGaps));
        together.clear();
      }
      if (together.isEmpty()) {
        begin = span.address();
        end = begin;
        overGaps = false;
      } else {
        overGaps |= gap > 0;
      }
      together.add(field);
      end = Math.max(end, span.end());
    }
    reads.add(read(together, begin, end, overGaps));
  }

  private static Read read(List<Field> fields, int begin, int end, boolean overGaps) {
    RegisterKind kind = fields.getFirst().register().span().kind();
    return new Read(
        new Span(kind, begin, end - begin),
        fields.stream()
            .map(field -> new Placed(field, field.register().span().address() - begin))
            .toList(),
        overGaps);
  }

  /** The bytes of all answers together. */
  int bytes() {
    return reads.stream().mapToInt(read -> read.span().bytes()).sum();
  }
}
