package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OptionTextTest {
  private static final String SCRIPT =
      """
      -- 'shard.values' = 'x'
      CREATE TABLE a (s STRING COMMENT 'it''s; so') WITH (
        'shard.values' = '*', 'url' = 'u'); CREATE TABLE c (s STRING) WITH ('shard.values' = '*');
      CREATE TABLE b (s STRING) WITH ( -- ;
        'shard.values' /* = 'y' */ =
          '*');
      """;

  @Test
  void theOptionOfThatTableAloneIsChanged() {
    assertThat(OptionText.with(SCRIPT, 2, "shard.values", "p;it's"))
        .isEqualTo(SCRIPT.replace("'*', 'url'", "'p;it''s', 'url'"));
    assertThat(OptionText.with(SCRIPT, 4, "shard.values", "p"))
        .isEqualTo(SCRIPT.replace("    '*');", "    'p');"));
    assertThat(OptionText.with(SCRIPT.replace("\n", "\r\n"), 4, "shard.values", "p"))
        .isEqualTo(SCRIPT.replace("    '*');", "    'p');").replace("\n", "\r\n"));
  }

  @Test
  void aStatementWithoutItIsLeftAsItIs() {
    assertThat(OptionText.with(SCRIPT, 4, "url", "p")).isEqualTo(SCRIPT);
    assertThat(OptionText.with(SCRIPT, 40, "shard.values", "p")).isEqualTo(SCRIPT);
  }
}
