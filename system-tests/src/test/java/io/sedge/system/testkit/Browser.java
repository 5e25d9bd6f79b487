package io.sedge.system.testkit;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import io.sedge.connector.mqtt.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium, without a screen. Tests are skipped where it is not installed. */
public final class Browser implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final int HEIGHT = 860;

  /** Of who becomes the first admin of a center. */
  public static final String FIRST_PASSWORD = "correct horse battery";

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where it is not installed: asked before what takes longer to start. */
  public static void assumeInstalled() {
    Assumptions.assumeTrue(
        Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
        "Chromium or its driver is absent: install chromium and chromium-driver");
  }

  /** Starts it with a profile of its own, in English and in light colours. */
  public static Browser start() {
    assumeInstalled();
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.setAcceptInsecureCerts(true);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en");
    LoggingPreferences logging = new LoggingPreferences();
    logging.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logging);
    ChromeDriver driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build(),
            options);
    Browser browser = new Browser(driver);
    browser.width(1280);
    return browser;
  }

  /** How wide the page is, in pixels. */
  public void width(int pixels) {
    driver.manage().window().setSize(new Dimension(pixels, HEIGHT));
  }

  public void open(String address) {
    driver.get(address);
  }

  /** Opens the link of a center's first start, and becomes its first admin. */
  public void beginAs(String link, String name) {
    open(link);
    type("input[name=name]", name);
    type("input[name=password]", FIRST_PASSWORD);
    type("input[name=again]", FIRST_PASSWORD);
    click("Begin");
    awaitText("Log out");
  }

  /** Puts a script into the page's editor, which checks it. */
  public void edit(String script) {
    awaitCount("sedge-editor", 1);
    run(
        "document.querySelector('sedge-editor').value = `%s`"
            .formatted(script.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")));
  }

  /** Where a text stands in a script, as the page says it. */
  public static String place(String script, String text) {
    List<String> before = script.substring(0, script.indexOf(text)).lines().toList();
    return "line %d, column %d:".formatted(before.size(), before.getLast().length() + 1);
  }

  /** What stands in the page, as somebody sees it. */
  public String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Waits until the page shows a text. */
  public void awaitText(String text) {
    awaitTrue(() -> text().contains(text), "the text '" + text + "'");
  }

  /** Waits until the page does not show a text. */
  public void awaitNoText(String text) {
    awaitTrue(() -> !text().contains(text), "no text '" + text + "'");
  }

  /** How many elements match, in this moment. */
  public int count(String css) {
    return driver.findElements(By.cssSelector(css)).size();
  }

  /** Waits until so many elements match. */
  public void awaitCount(String css, int least) {
    awaitTrue(() -> count(css) >= least, least + " of " + css);
  }

  /** Clicks the link, button or tab that has a text. */
  public void click(String text) {
    String quoted = "\"" + text + "\"";
    clickAt(
        By.xpath(
            "//a[normalize-space()=%1$s] | //button[normalize-space()=%1$s]".formatted(quoted)));
  }

  /** Clicks the first element that matches. */
  public void clickOn(String css) {
    clickAt(By.cssSelector(css));
  }

  private void clickAt(By place) {
    awaitTrue(
        () ->
            driver.findElements(place).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .map(
                    element -> {
                      element.click();
                      return true;
                    })
                .orElse(false),
        place);
  }

  /** Types into the field that matches, in place of what it has. */
  public void type(String css, String text) {
    awaitTrue(
        () -> {
          WebElement field = driver.findElement(By.cssSelector(css));
          field.clear();
          field.sendKeys(text);
          return true;
        },
        css);
  }

  /** Types into the field that has a label, in place of what it has. */
  public void fill(String label, String text) {
    awaitTrue(
        () -> {
          WebElement field =
              driver.findElement(
                  By.xpath(
                      "//label[starts-with(normalize-space(), '%s')]//input".formatted(label)));
          field.clear();
          field.sendKeys(text);
          return true;
        },
        label);
  }

  /** Runs a script in the page; its value. */
  public Object run(String script) {
    return ((JavascriptExecutor) driver).executeScript(script);
  }

  /** What is wrong with the page for those who do not see it or do not use a mouse. */
  public List<String> barriers() {
    return new AxeBuilder()
        .analyze(driver).getViolations().stream().map(Browser::described).toList();
  }

  private static String described(Rule rule) {
    return "%s: %s, at %s"
        .formatted(rule.getId(), rule.getHelp(), rule.getNodes().getFirst().getHtml());
  }

  /** What the page has said to developers: faults of scripts, what the security policy refused. */
  public List<String> faults() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Keeps a picture of the page. */
  public void picture(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a test waits for in a page. */
  @FunctionalInterface
  public interface Condition {
    boolean holds();
  }

  /** Waits; elements that have gone meanwhile are looked for again. */
  public void awaitTrue(Condition condition, Object what) {
    Await.until(
        LONGEST_WAIT,
        () -> {
          try {
            return condition.holds();
          } catch (StaleElementReferenceException
              | NoSuchElementException
              | ElementClickInterceptedException e) {
            return false;
          }
        },
        () -> "waited for: %s; the page shows:%n%s%n%s".formatted(what, shown(), faults()));
  }

  private String shown() {
    try {
      return text();
    } catch (WebDriverException e) {
      return "(" + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
