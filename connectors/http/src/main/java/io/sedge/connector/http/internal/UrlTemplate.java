package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address in which {@code {column}} stands for a value of the row. A value can only be a part of
 * a segment of the path or of the query: it is encoded, so that it never leads elsewhere.
 */
final class UrlTemplate {
  /** What stands for a secret as long as a table is only checked. */
  private static final Pattern SECRET = Pattern.compile("\\$\\{secret:[^}]*}");

  private static final Pattern COLUMN = Pattern.compile("\\{([^{}]+)}");

  private final String text;
  private final Schema schema;
  private final List<Integer> columns = new ArrayList<>();
  private final Optional<URI> fixed;

  /**
   * @throws IllegalArgumentException if it is no address; the message says why
   */
  UrlTemplate(String given, Schema schema) {
    this.text = SECRET.matcher(given).replaceAll("x");
    this.schema = schema;
    Matcher matcher = COLUMN.matcher(text);
    while (matcher.find()) {
      int column = schema.indexOf(matcher.group(1));
      if (column < 0) {
        throw new IllegalArgumentException(
            "names a column `%s` that the table does not have".formatted(matcher.group(1)));
      }
      columns.add(column);
    }
    URI some = parse(matcher.replaceAll("x"));
    URI other = parse(matcher.replaceAll("y"));
    if (!some.getScheme().equals(other.getScheme())
        || !some.getRawAuthority().equals(other.getRawAuthority())) {
      throw new IllegalArgumentException("has a column where the server stands");
    }
    this.fixed = columns.isEmpty() ? Optional.of(some) : Optional.empty();
  }

  private static URI parse(String address) {
    try {
      URI uri = new URI(address);
      String scheme = uri.getScheme();
      if (!"http".equals(scheme) && !"https".equals(scheme)) {
        throw new IllegalArgumentException("does not begin with http:// or https://");
      }
      if (uri.getHost() == null) {
        throw new IllegalArgumentException("has no host");
      }
      if (uri.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "has a login in it; use 'username' and 'password', or 'bearer-token'");
      }
      if (uri.getRawFragment() != null) {
        throw new IllegalArgumentException("has a #fragment, which no server sees");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("is not an address: " + e.getReason(), e);
    }
  }

  /** The address, if it is the same for all rows. */
  Optional<URI> fixed() {
    return fixed;
  }

  /** What messages call it: without its query, which may have secrets. */
  String place() {
    int query = text.indexOf('?');
    return query < 0 ? text : text.substring(0, query);
  }

  /**
   * The address for a row.
   *
   * @throws IllegalArgumentException if a value cannot stand in one; the message says which
   */
  URI address(Batch batch, int row) {
    if (fixed.isPresent()) {
      return fixed.get();
    }
    StringBuilder address = new StringBuilder();
    Matcher matcher = COLUMN.matcher(text);
    for (int column : columns) {
      var _ = matcher.find();
      matcher.appendReplacement(address, Matcher.quoteReplacement(value(batch, column, row)));
    }
    matcher.appendTail(address);
    return parse(address.toString());
  }

  private String value(Batch batch, int column, int row) {
    Object value = batch.column(column).value(row);
    String plain = value == null ? "" : value.toString();
    if (plain.isEmpty() || plain.equals(".") || plain.equals("..")) {
      throw new IllegalArgumentException(
          "column `%s`, a part of the address, is %s"
              .formatted(schema.name(column), value == null ? "NULL" : "'%s'".formatted(plain)));
    }
    return URLEncoder.encode(plain, UTF_8).replace("+", "%20");
  }
}
