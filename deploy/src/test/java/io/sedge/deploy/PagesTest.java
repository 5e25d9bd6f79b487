package io.sedge.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages that people read. Other tests type what the English pages say; so a Chinese page may
 * only have what its English page has.
 */
class PagesTest {
  private static final Path PROJECT = Path.of("..");
  private static final Path ENGLISH = PROJECT.resolve("docs");
  private static final Path CHINESE = ENGLISH.resolve("zh-CN");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules");

  /** What {@code package/build} puts into a package. */
  private static final List<Path> PACKAGED =
      List.of(ENGLISH, PROJECT.resolve("examples"), PROJECT.resolve("CHANGELOG.md"));

  private record Link(Path page, String to) {
    Path target() {
      String file = to.replaceFirst("#.*", "");
      return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    boolean leadsSomewhere(Map<Path, Page> pages) {
      int hash = to.indexOf('#');
      if (hash < 0) {
        return Files.exists(target());
      }
      Page there = pages.get(target());
      return there != null && there.hasAnchor(to.substring(hash + 1));
    }
  }

  @Test
  void eachLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    Map<Path, Page> pages = pages();
    assertThat(links(pages)).isNotEmpty().allMatch(link -> link.leadsSomewhere(pages));
  }

  @Test
  void aPageOfThePackagesLinksToWhatThePackagesHave() throws IOException {
    assertThat(links(pages()))
        .filteredOn(link -> isPackaged(link.page()))
        .isNotEmpty()
        .allMatch(link -> isPackaged(link.target()));
  }

  @Test
  void aChinesePageHasNoCodeThatItsEnglishPageLacks() throws IOException {
    for (Map.Entry<Path, Path> pair : pairs().entrySet()) {
      Page english = Page.read(pair.getValue());
      Page chinese = Page.read(pair.getKey());
      assertThat(chinese.blocksMissingIn(english)).as("blocks of %s", pair.getKey()).isEmpty();
      assertThat(chinese.codeMissingIn(english)).as("code of %s", pair.getKey()).isEmpty();
    }
  }

  @Test
  void aChinesePageLinksToItsEnglishPage() throws IOException {
    for (Map.Entry<Path, Path> pair : pairs().entrySet()) {
      String english = pair.getKey().getParent().relativize(pair.getValue()).toString();
      assertThat(Page.read(pair.getKey()).links()).as("%s", pair.getKey()).contains(english);
    }
    assertThat(Page.read(PROJECT.resolve("README.md")).links()).contains("README.zh-CN.md");
    assertThat(Page.read(ENGLISH.resolve("README.md")).links()).contains("zh-CN/README.md");
  }

  /** Without it the tests above could pass since nothing is found. */
  @Test
  void linksHeadingsAndCodeAreFound() {
    Page english =
        new Page(
            """
            # One `word`, [two](a.md) & 三个
            ## Twice
            ## Twice
            See [`there`](b.md#c) and `[not](this.md)`: `sedge  run`.
            ```
            ./sedge run a.sql      # first
            ./sedge run b.sql --data a
            ```
            """);
    assertThat(english.links()).containsExactly("a.md", "b.md#c");
    assertThat(Stream.of("one-word-two--三个", "twice", "twice-1")).allMatch(english::hasAnchor);
    assertThat(english.hasAnchor("twice-2")).isFalse();

    Page same = new Page("`sedge run`\n```sh\n# 注释\n./sedge run b.sql  --data a # 第二\n```\n");
    assertThat(same.blocksMissingIn(english)).isEmpty();
    assertThat(same.codeMissingIn(english)).isEmpty();

    Page other = new Page("`sedge ran`\n```sh\n./sedge run b.sql --data b\n```\n");
    assertThat(other.blocksMissingIn(english)).hasSize(1);
    assertThat(other.codeMissingIn(english)).containsExactly("sedge ran");
  }

  /** All links within the project. */
  private static List<Link> links(Map<Path, Page> pages) {
    return pages.entrySet().stream()
        .flatMap(page -> page.getValue().links().stream().map(to -> new Link(page.getKey(), to)))
        .filter(link -> !ELSEWHERE.matcher(link.to()).matches())
        .toList();
  }

  private static boolean isPackaged(Path file) {
    return PACKAGED.stream().anyMatch(file::startsWith);
  }

  /** The Chinese pages, each with its English page. */
  private static Map<Path, Path> pairs() throws IOException {
    Map<Path, Path> pairs = new HashMap<>();
    pairs.put(PROJECT.resolve("README.zh-CN.md"), PROJECT.resolve("README.md"));
    try (Stream<Path> files = Files.walk(CHINESE)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> pairs.put(file, ENGLISH.resolve(CHINESE.relativize(file))));
    }
    return pairs;
  }

  private static Map<Path, Page> pages() throws IOException {
    Map<Path, Page> pages = new HashMap<>();
    Files.walkFileTree(
        PROJECT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean hidden = name.startsWith(".") && !directory.equals(PROJECT);
            return hidden || NOT_OURS.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".md")) {
              pages.put(file.normalize(), Page.read(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }
}
