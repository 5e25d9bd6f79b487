package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.internal.RowFunctions.Row;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions of URLs. */
public final class UrlFunctions {
  private UrlFunctions() {}

  public static void register(FunctionTable table) {
    RowFunctions.ofString(
        table, "URL_ENCODE", string -> URLEncoder.encode(string, StandardCharsets.UTF_8));
    RowFunctions.ofString(table, "URL_DECODE", UrlFunctions::decode);
    RowFunctions.strict(table, "PARSE_URL", "ss[s]", UrlFunctions::part);
  }

  private static @Nullable String decode(String string) {
    try {
      return URLDecoder.decode(string, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  private static @Nullable String part(Row row) {
    URL url;
    try {
      url = new URI(row.text(0)).toURL();
    } catch (URISyntaxException | MalformedURLException | IllegalArgumentException notOne) {
      return null;
    }
    if (row.size() > 2) {
      return row.text(1).equals("QUERY") ? parameter(url.getQuery(), row.text(2)) : null;
    }
    return switch (row.text(1)) {
      case "HOST" -> url.getHost();
      case "PATH" -> url.getPath();
      case "QUERY" -> url.getQuery();
      case "REF" -> url.getRef();
      case "PROTOCOL" -> url.getProtocol();
      case "FILE" -> url.getFile();
      case "AUTHORITY" -> url.getAuthority();
      case "USERINFO" -> url.getUserInfo();
      default -> null;
    };
  }

  private static @Nullable String parameter(@Nullable String query, String key) {
    if (query == null) {
      return null;
    }
    Matcher matcher = Pattern.compile("(&|^)" + Pattern.quote(key) + "=([^&]*)").matcher(query);
    return matcher.find() ? matcher.group(2) : null;
  }
}
