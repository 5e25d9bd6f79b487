package io.sedge.engine.column;

import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends values and builds a {@link Column}; after {@link #build} it is empty and may be used
 * again. One thread.
 *
 * <p>The typed methods ({@link #addLong}, {@link #addDouble} and so on) are for code that knows the
 * storage; calling one that does not fit the storage throws {@link UnsupportedOperationException}.
 * {@link #add} takes any value by its object form, as {@link Column#value} gives it.
 *
 * <p>Long because the builder of each storage is here: they share the null mask and its growth, and
 * differ in the type of one array.
 */
public abstract class ColumnBuilder {
  private boolean[] nulls = new boolean[16];
  private boolean anyNull;
  private int size;

  /** Up to here there is room in the null mask and in the values. */
  private int capacity;

  ColumnBuilder() {}

  /** A builder for the storage of {@code type}. */
  public static ColumnBuilder of(Type type) {
    return switch (type.storage()) {
      case BOOLEAN -> new Booleans();
      case INT -> new Ints();
      case LONG -> new Longs();
      case FLOAT -> new Floats();
      case DOUBLE -> new Doubles();
      case DECIMAL -> new Decimals();
      case STRING -> new Strings();
      case ARRAY -> new Lists(type);
      case ROW -> new Structs(type);
    };
  }

  public final int size() {
    return size;
  }

  public final void addNull() {
    int row = claim();
    clear(row);
    nulls[row] = true;
    anyNull = true;
  }

  public void addBoolean(boolean value) {
    throw unfit("BOOLEAN");
  }

  public void addInt(int value) {
    throw unfit("INT");
  }

  public void addLong(long value) {
    throw unfit("LONG");
  }

  public void addFloat(float value) {
    throw unfit("FLOAT");
  }

  public void addDouble(double value) {
    throw unfit("DOUBLE");
  }

  public void addDecimal(BigDecimal value) {
    throw unfit("DECIMAL");
  }

  public void addString(String value) {
    throw unfit("STRING");
  }

  /**
   * Appends the string whose UTF-8 form is {@code bytes} from {@code from} to {@code to - 1}, which
   * is copied. A string that was added so before is found by its bytes and not made again.
   *
   * @return false if the bytes are not UTF-8; nothing is appended then
   */
  public boolean addUtf8(byte[] bytes, int from, int to) {
    throw unfit("STRING");
  }

  /** Appends a value in its object form, null included. */
  public final void add(@Nullable Object value) {
    if (value == null) {
      addNull();
    } else {
      addObject(value);
    }
  }

  /** Takes the last value back; there must be one. */
  public final void removeLast() {
    size--;
    capacity = size;
    if (nulls[size]) {
      nulls[size] = false;
    } else {
      removed(size);
    }
  }

  /** The column of what was added since the last call. */
  public final Column build() {
    Column column = take(size, anyNull ? Arrays.copyOf(nulls, size) : null);
    Arrays.fill(nulls, 0, size, false);
    anyNull = false;
    size = 0;
    capacity = 0;
    return column;
  }

  abstract void addObject(Object value);

  /** Makes room for that many values and returns for how many there is room now. */
  abstract int reserve(int wanted);

  /** Writes the default of the storage, over what an earlier batch or a row taken back has left. */
  abstract void clear(int row);

  /** A value that was not null has been taken back; {@code rows} are left. */
  void removed(int rows) {}

  abstract Column take(int rows, boolean @Nullable [] nullMask);

  /** Makes room for one more row and returns its index. */
  final int claim() {
    if (size == capacity) {
      grow();
    }
    return size++;
  }

  private void grow() {
    if (size == nulls.length) {
      nulls = Arrays.copyOf(nulls, size * 2);
    }
    capacity = Math.min(nulls.length, reserve(size + 1));
  }

  private UnsupportedOperationException unfit(String storage) {
    return new UnsupportedOperationException(
        "%s takes no %s value".formatted(getClass().getSimpleName(), storage));
  }

  private static int grown(int length, int capacity) {
    return Math.max(capacity, length * 2);
  }

  private static final class Booleans extends ColumnBuilder {
    private boolean[] values = new boolean[16];

    @Override
    public void addBoolean(boolean value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addBoolean((Boolean) value);
    }

    @Override
    void clear(int row) {
      values[row] = false;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      return new BooleanColumn(Arrays.copyOf(values, rows), nullMask, rows);
    }
  }

  private static final class Ints extends ColumnBuilder {
    private int[] values = new int[16];

    @Override
    public void addInt(int value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addInt(((Number) value).intValue());
    }

    @Override
    void clear(int row) {
      values[row] = 0;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      return new IntColumn(Arrays.copyOf(values, rows), nullMask, rows);
    }
  }

  private static final class Longs extends ColumnBuilder {
    private long[] values = new long[16];

    @Override
    public void addLong(long value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addLong(((Number) value).longValue());
    }

    @Override
    void clear(int row) {
      values[row] = 0;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      return new LongColumn(Arrays.copyOf(values, rows), nullMask, rows);
    }
  }

  private static final class Floats extends ColumnBuilder {
    private float[] values = new float[16];

    @Override
    public void addFloat(float value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addFloat(((Number) value).floatValue());
    }

    @Override
    void clear(int row) {
      values[row] = 0;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      return new FloatColumn(Arrays.copyOf(values, rows), nullMask, rows);
    }
  }

  private static final class Doubles extends ColumnBuilder {
    private double[] values = new double[16];

    @Override
    public void addDouble(double value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addDouble(((Number) value).doubleValue());
    }

    @Override
    void clear(int row) {
      values[row] = 0;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      return new DoubleColumn(Arrays.copyOf(values, rows), nullMask, rows);
    }
  }

  private static final class Decimals extends ColumnBuilder {
    private @Nullable BigDecimal[] values = new BigDecimal[16];

    @Override
    public void addDecimal(BigDecimal value) {
      int row = claim();
      values[row] = value;
    }

    @Override
    void addObject(Object value) {
      addDecimal((BigDecimal) value);
    }

    @Override
    void clear(int row) {
      values[row] = null;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > values.length) {
        values = Arrays.copyOf(values, grown(values.length, wanted));
      }
      return values.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      Column column = new DecimalColumn(Arrays.copyOf(values, rows), nullMask, rows);
      Arrays.fill(values, 0, rows, null);
      return column;
    }
  }

  /** Encodes into one dictionary that goes on from batch to batch until it is full. */
  private static final class Strings extends ColumnBuilder {
    private int[] codes = new int[16];
    private Dictionary dictionary = new Dictionary();

    @Override
    public void addString(String value) {
      int row = claim();
      codes[row] = dictionary.encode(value);
    }

    @Override
    public boolean addUtf8(byte[] bytes, int from, int to) {
      int code = dictionary.encodeUtf8(bytes, from, to);
      if (code < 0) {
        return false;
      }
      int row = claim();
      codes[row] = code;
      return true;
    }

    @Override
    void addObject(Object value) {
      addString((String) value);
    }

    @Override
    void clear(int row) {
      codes[row] = 0;
    }

    @Override
    int reserve(int wanted) {
      if (wanted > codes.length) {
        codes = Arrays.copyOf(codes, grown(codes.length, wanted));
      }
      return codes.length;
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      Column column = new StringColumn(Arrays.copyOf(codes, rows), dictionary, nullMask, rows);
      if (dictionary.isFull()) {
        dictionary = new Dictionary();
      }
      return column;
    }
  }

  private static final class Lists extends ColumnBuilder {
    private final ColumnBuilder elements;
    private final List<Integer> ends = new ArrayList<>();

    Lists(Type type) {
      elements = ColumnBuilder.of(type.children().getFirst());
    }

    @Override
    void addObject(Object value) {
      for (Object element : (List<?>) value) {
        elements.add(element);
      }
      int row = claim();
      ends.set(row, elements.size());
    }

    @Override
    void clear(int row) {
      ends.set(row, elements.size());
    }

    @Override
    int reserve(int wanted) {
      while (ends.size() < wanted) {
        ends.add(elements.size());
      }
      return wanted;
    }

    @Override
    void removed(int rows) {
      int begin = rows == 0 ? 0 : ends.get(rows - 1);
      while (elements.size() > begin) {
        elements.removeLast();
      }
      ends.subList(rows, ends.size()).clear();
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      int[] offsets = new int[rows + 1];
      for (int i = 0; i < rows; i++) {
        offsets[i + 1] = ends.get(i);
      }
      ends.clear();
      return new ArrayColumn(offsets, elements.build(), nullMask, rows);
    }
  }

  private static final class Structs extends ColumnBuilder {
    private final List<ColumnBuilder> fields;

    Structs(Type type) {
      fields = type.children().stream().map(ColumnBuilder::of).toList();
    }

    @Override
    void addObject(Object value) {
      int row = claim();
      List<?> values = (List<?>) value;
      for (int i = 0; i < fields.size(); i++) {
        ColumnBuilder field = fields.get(i);
        fillTo(field, row);
        field.add(values.get(i));
      }
    }

    @Override
    void clear(int row) {}

    @Override
    int reserve(int wanted) {
      return Integer.MAX_VALUE;
    }

    @Override
    void removed(int rows) {
      for (ColumnBuilder field : fields) {
        while (field.size() > rows) {
          field.removeLast();
        }
      }
    }

    @Override
    Column take(int rows, boolean @Nullable [] nullMask) {
      List<Column> columns = new ArrayList<>(fields.size());
      for (ColumnBuilder field : fields) {
        fillTo(field, rows);
        columns.add(field.build());
      }
      return new RowColumn(columns, nullMask, rows);
    }

    /** Null structs add nothing to their fields at once; this makes up for it. */
    private static void fillTo(ColumnBuilder field, int rows) {
      while (field.size() < rows) {
        field.addNull();
      }
    }
  }
}
