package io.sedge.center.store;

import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.windows;

import io.sedge.uplink.RowBlock;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A center that several sites send to until it is killed; it says what it has acknowledged. */
public final class KilledStore {
  static final List<String> SITES = List.of("east", "north", "west");
  static final int ROWS = 100;
  private static final int UNDER_WAY = 4;

  private KilledStore() {}

  public static void main(String[] arguments) throws Exception {
    try (Store store =
        Store.open(StoreOptions.embedded(Path.of(arguments[0])), InstantSource.system(), _ -> {})) {
      List<Thread> threads = new ArrayList<>();
      for (String site : SITES) {
        store.sites().enrol(site, "ledger-" + site, "key-" + site);
        threads.add(Thread.ofPlatform().name(site).start(() -> send(store, site)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static void send(Store store, String site) {
    try {
      OpenedStream stream = store.openStream(site, opening("windows", WINDOWS));
      // The last block comes once more: its acknowledgement may have been lost.
      long first = Math.max(1, stream.sequence() - ROWS + 1);
      while (true) {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < UNDER_WAY; i++) {
          RowBlock block = windows(first, ROWS);
          appends.add(store.append(site, stream.id(), List.of(block)));
          first += ROWS;
        }
        for (CompletableFuture<Long> append : appends) {
          System.out.println(site + " " + append.get());
        }
      }
    } catch (Exception e) {
      System.out.println("FAILED " + e);
    }
  }
}
