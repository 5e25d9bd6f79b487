package io.sedge.flink.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.connector.Option;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * An option of Sedge's own that nobody has thought of here would be Flink's to refuse, without its
 * place.
 */
class OwnOptionsTest {
  private static final String MARK = "Sedge's own";

  private final Connectors installed = Connectors.installed(OwnOptionsTest.class.getClassLoader());

  @Test
  void whatConnectorsAndFormatsSayIsTheirOwnIsKnown() {
    Map<String, List<Option>> declared = new TreeMap<>();
    OwnOptions.CONNECTORS.forEach(
        name -> declared.put(name, installed.byName().get(name).options()));
    OwnOptions.FORMATS.forEach(
        name -> declared.put(name, installed.formats().byName().get(name).options()));
    Map<String, Set<String>> own = new TreeMap<>();
    Map<String, Set<String>> known = new TreeMap<>();
    declared.forEach(
        (name, options) -> {
          Set<String> keys = new TreeSet<>();
          options.stream()
              .filter(option -> option.description().contains(MARK))
              .forEach(option -> keys.add(option.key()));
          own.put(name, keys);
          known.put(name, OwnOptions.of(name).keySet());
        });
    assertThat(known).isEqualTo(own);
  }

  @Test
  void anOptionOfAFormatIsKnownBehindThePrefixOfAKeyOrValue() {
    assertThat(OwnOptions.option("kafka", "value.csv.header")).isPresent();
    assertThat(OwnOptions.option("kafka", "csv.header")).isPresent();
    assertThat(OwnOptions.option("kafka", "value.csv.field-delimiter")).isEmpty();
  }

  @Test
  void oneConnectorsOwnMayBeFlinksInAnother() {
    assertThat(OwnOptions.option("jdbc", "sink.delivery-guarantee")).isPresent();
    assertThat(OwnOptions.option("kafka", "sink.delivery-guarantee")).isEmpty();
  }

  @Test
  void aValueThatChangesNothingIsLeftOut() {
    assertThat(OwnOptions.option("filesystem", "source.follow").orElseThrow().leavesOut("FALSE"))
        .isTrue();
    assertThat(OwnOptions.option("filesystem", "source.follow").orElseThrow().leavesOut("true"))
        .isFalse();
    assertThat(OwnOptions.option("kafka", "shard.values").orElseThrow().leavesOut("*")).isTrue();
    assertThat(OwnOptions.option("kafka", "shard.values").orElseThrow().leavesOut("0;1")).isFalse();
  }
}
