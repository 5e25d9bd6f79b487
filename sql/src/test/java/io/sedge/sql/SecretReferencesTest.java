package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretReferencesTest {
  @Test
  void thoseInStringsAreFoundAndThoseInCommentsAndNamesAreNot() {
    assertThat(
            SecretReferences.in(
                """
                -- 'password' = '${secret:old}'
                /* '${secret:older}' */
                CREATE TABLE `${secret:name}` (n INT) WITH (
                  'password' = '${secret:mqtt}', 'jaas' = 'user="${secret:u}" it''s "${secret:p}"',
                  'other' = '${env:HOME} ${VARIABLE}');
                """))
        .containsExactly("mqtt", "u", "p");
  }

  @Test
  void namesHaveARule() {
    assertThat(SecretReferences.isName("plant-1.mqtt_password")).isTrue();
    for (String name : new String[] {"", "1a", "a b", "a/b", "ü", "a".repeat(65)}) {
      assertThat(SecretReferences.isName(name)).as(name).isFalse();
    }
  }
}
