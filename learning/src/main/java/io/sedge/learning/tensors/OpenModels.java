package io.sedge.learning.tensors;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * Models that are in a runtime's memory: one for each key, however often a script with it is
 * compiled. One is closed once nobody refers to its {@link Shared}. Any thread.
 *
 * @param <K> what is equal for equal models, such as the hash of a file
 * @param <S> what the runtime has of one
 */
public final class OpenModels<K, S> {
  private final Cleaner cleaner;
  private final Map<K, WeakReference<Shared<S>>> open = new HashMap<>();

  /** Loads a model. */
  @FunctionalInterface
  public interface Loading<S, E extends Exception> {
    S load() throws E;
  }

  /** Gives the memory of a model back. */
  @FunctionalInterface
  public interface Closing<S> {
    void close(S model);
  }

  /** A model that others may have too; whoever uses it refers to this. */
  public static final class Shared<S> {
    private final S model;

    private Shared(S model) {
      this.model = model;
    }

    /** Of use while this is referred to. */
    public S model() {
      return model;
    }
  }

  /**
   * @param thread the name of the thread that closes models
   */
  public OpenModels(String thread) {
    this.cleaner = Cleaner.create(Thread.ofVirtual().name(thread).factory());
  }

  /**
   * That of a key, which is loaded if it is not there.
   *
   * @param closing must not refer to what is returned
   * @throws E if it cannot be loaded
   */
  public <E extends Exception> Shared<S> get(
      K key, Loading<? extends S, E> loading, Closing<? super S> closing) throws E {
    synchronized (open) {
      open.values().removeIf(each -> each.refersTo(null));
      WeakReference<Shared<S>> known = open.get(key);
      Shared<S> shared = known == null ? null : known.get();
      if (shared == null) {
        S model = loading.load();
        shared = new Shared<>(model);
        cleaner.register(shared, () -> closing.close(model));
        open.put(key, new WeakReference<>(shared));
      }
      return shared;
    }
  }
}
