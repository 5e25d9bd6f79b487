package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One object per value of some key columns. The key is encoded to bytes, which also serve as a part
 * of state entries' keys; where it is a single string, objects are cached by the code in its
 * dictionary.
 */
final class ObjectsByKey<T> {
  /** The bytes of a key. */
  static final class Key {
    private final byte[] bytes;
    private final int hash;

    Key(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    /** The key of an entry of state that begins with a tag. */
    byte[] tagged(byte tag) {
      byte[] tagged = new byte[bytes.length + 1];
      tagged[0] = tag;
      System.arraycopy(bytes, 0, tagged, 1, bytes.length);
      return tagged;
    }

    static Key untagged(byte[] tagged) {
      return new Key(Arrays.copyOfRange(tagged, 1, tagged.length));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Where an object is, as caches hold it: they see so that it is removed. */
  private static final class Place<T> {
    private @Nullable T object;
  }

  private final int[] columns;
  private final Type[] types;
  private final Function<Key, T> factory;
  private final Map<Key, Place<T>> places;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream output = new DataOutputStream(bytes);

  private @Nullable Dictionary cachedDictionary;
  private @Nullable Object[] cache = {};

  ObjectsByKey(List<Integer> columns, Schema schema, Function<Key, T> factory) {
    this(columns, schema, factory, new LinkedHashMap<>());
  }

  private ObjectsByKey(
      List<Integer> columns, Schema schema, Function<Key, T> factory, Map<Key, Place<T>> places) {
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    this.types = columns.stream().map(schema::type).toArray(Type[]::new);
    this.factory = factory;
    this.places = places;
  }

  /** The same objects, found by the columns of other rows; these have the same types. */
  ObjectsByKey<T> by(List<Integer> otherColumns, Schema schema) {
    return new ObjectsByKey<>(otherColumns, schema, factory, places);
  }

  Collection<T> all() {
    return places.values().stream().map(place -> Objects.requireNonNull(place.object)).toList();
  }

  int size() {
    return places.size();
  }

  /** Whether a key column of the row is null. */
  boolean anyNull(Batch batch, int row) {
    for (int column : columns) {
      if (batch.column(column).isNull(row)) {
        return true;
      }
    }
    return false;
  }

  T at(Key key) {
    return object(key, places.computeIfAbsent(key, _ -> new Place<>()));
  }

  private T object(Key key, Place<T> place) {
    T object = place.object;
    if (object == null) {
      object = factory.apply(key);
      place.object = object;
    }
    return object;
  }

  /** The object of the row's key, made if there is none. */
  T at(Batch batch, int row) {
    int code = code(batch, row);
    T known = cached(code);
    if (known != null) {
      return known;
    }
    Key key = key(batch, row);
    Place<T> place = places.computeIfAbsent(key, _ -> new Place<>());
    cache(code, place);
    return object(key, place);
  }

  /** The object of the row's key, if there is one. */
  @Nullable T find(Batch batch, int row) {
    int code = code(batch, row);
    T known = cached(code);
    if (known != null) {
      return known;
    }
    Place<T> place = places.get(key(batch, row));
    if (place == null) {
      return null;
    }
    cache(code, place);
    return place.object;
  }

  /** Where the cache has the row's key; -1 if it is not to be cached. */
  private int code(Batch batch, int row) {
    if (columns.length != 1
        || !(batch.column(columns[0]) instanceof StringColumn strings)
        || strings.isNull(row)) {
      return -1;
    }
    if (strings.dictionary() != cachedDictionary) {
      cachedDictionary = strings.dictionary();
      cache = new Object[Math.max(16, cachedDictionary.size())];
    }
    return strings.codes()[row];
  }

  @SuppressWarnings("unchecked") // only places of this object are put into the cache
  private @Nullable T cached(int code) {
    Object place = code < 0 || code >= cache.length ? null : cache[code];
    return place == null ? null : ((Place<T>) place).object;
  }

  private void cache(int code, Place<T> place) {
    if (code >= cache.length) {
      cache = Arrays.copyOf(cache, Math.max(code + 1, cache.length * 2));
    }
    if (code >= 0) {
      cache[code] = place;
    }
  }

  void removeIf(Predicate<T> condition) {
    places
        .values()
        .removeIf(
            place -> {
              boolean removed = condition.test(Objects.requireNonNull(place.object));
              if (removed) {
                place.object = null;
              }
              return removed;
            });
  }

  void remove(Key key) {
    Place<T> place = places.remove(key);
    if (place != null) {
      place.object = null;
    }
  }

  Key key(Batch batch, int row) {
    bytes.reset();
    try {
      for (int i = 0; i < columns.length; i++) {
        write(batch.column(columns[i]), types[i], row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Key(bytes.toByteArray());
  }

  private void write(Column column, Type type, int row) throws IOException {
    if (column.isNull(row)) {
      output.writeByte(0);
      return;
    }
    if (column instanceof LongColumn longs) {
      output.writeByte(1);
      output.writeLong(longs.values()[row]);
    } else {
      ValueCodec.write(type, column.value(row), output);
    }
  }
}
