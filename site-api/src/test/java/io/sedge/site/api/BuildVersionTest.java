package io.sedge.site.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildVersionTest {
  @Test
  void theVersionNamesTheCommitWhereTheBuildKnewIt() {
    assertThat(BuildVersion.text("1.2.0 (abc1234)")).isEqualTo("1.2.0 (abc1234)");
    assertThat(BuildVersion.text("1.2.0 (${git.commit.id.abbrev})")).isEqualTo("1.2.0");
    assertThat(BuildVersion.text(null)).isEqualTo("(built from sources)");
  }
}
