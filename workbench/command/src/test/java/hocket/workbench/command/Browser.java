package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A Chromium without a window, as a person uses it: what is asked for is waited for. */
public final class Browser implements AutoCloseable {
    /** Generous: a machine may have other things to do. */
    private static final Duration MOST = Duration.ofSeconds(120);

    private static final Duration OFTEN = Duration.ofMillis(50);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Opens one; the test is skipped where there is none. */
    public static Browser open() {
        Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Optional<Path> chromedriver = onPath("chromedriver");
        assumeTrue(
                chromium.isPresent() && chromedriver.isPresent(),
                "no Chromium with its driver is on the PATH (apt-get install chromium chromium-driver)");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toString());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en");
        LoggingPreferences logged = new LoggingPreferences();
        logged.enable(LogType.BROWSER, Level.WARNING);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logged);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().window().setSize(new Dimension(1440, 1000));
        return new Browser(driver);
    }

    private static Optional<Path> onPath(String... names) {
        String path = System.getenv("PATH");
        return Stream.of(names)
                .flatMap(name -> Stream.of((path == null ? "" : path).split(File.pathSeparator, -1))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public void go(String address) {
        driver.get(address);
    }

    /** The text of what a selector finds first, as it is read. */
    public String text(String css) {
        return until(
                () -> css + " has a text",
                () -> driver.findElements(By.cssSelector(css)).stream()
                        .findFirst()
                        .map(WebElement::getText));
    }

    /** Waits for a text, and gives it. */
    public String text(String css, Predicate<String> wanted) {
        return until(
                () -> css + " says what is wanted; it says " + shown(css),
                () -> driver.findElements(By.cssSelector(css)).stream()
                        .findFirst()
                        .map(WebElement::getText)
                        .filter(wanted));
    }

    private String shown(String css) {
        List<WebElement> found = driver.findElements(By.cssSelector(css));
        return found.isEmpty() ? "nothing" : found.get(0).getText();
    }

    /** A whole number that is read there. */
    public long number(String css) {
        return Long.parseLong(text(css, text -> text.matches("[0-9,]+")).replace(",", ""));
    }

    public long number(String css, Predicate<Long> wanted) {
        return Long.parseLong(text(
                        css, text -> text.matches("[0-9,]+") && wanted.test(Long.valueOf(text.replace(",", ""))))
                .replace(",", ""));
    }

    /** The property of an element. */
    public String property(String css, String name, Predicate<String> wanted) {
        return until(
                () -> css + " has the " + name + " that is wanted",
                () -> driver.findElements(By.cssSelector(css)).stream()
                        .findFirst()
                        .map(element -> String.valueOf(element.getDomProperty(name)))
                        .filter(wanted));
    }

    /** Presses a button as soon as it can be pressed. */
    public void press(String css) {
        until(
                        () -> css + " can be pressed",
                        () -> driver.findElements(By.cssSelector(css)).stream()
                                .filter(element -> element.isDisplayed() && element.isEnabled())
                                .findFirst())
                .click();
    }

    /** Writes into a field, in place of what is there. */
    public void write(String css, String text) {
        WebElement field = driver.findElement(By.cssSelector(css));
        field.clear();
        field.sendKeys(text);
    }

    public void keys(String css, CharSequence... keys) {
        driver.findElement(By.cssSelector(css)).sendKeys(keys);
    }

    /** What a picture or drawing shows, as text; waits until it is another than some. */
    public String picture(String css, String other) {
        return until(
                () -> css + " shows something else",
                () -> Optional.ofNullable(driver.executeScript(PICTURE, css))
                        .map(String::valueOf)
                        .filter(picture -> !picture.equals(other)));
    }

    private static final String PICTURE = """
            const found = document.querySelector(arguments[0]);
            if (!found || (found.tagName === 'IMG' && !(found.complete && found.naturalWidth))) {
              return null;
            }
            if (found.tagName === 'CANVAS') {
              return found.toDataURL();
            }
            const drawn = document.createElement('canvas');
            drawn.width = found.naturalWidth;
            drawn.height = found.naturalHeight;
            drawn.getContext('2d').drawImage(found, 0, 0);
            return drawn.toDataURL();
            """;

    private interface Look<T> {
        Optional<T> look();
    }

    private <T> T until(Supplier<String> what, Look<T> look) {
        return new WebDriverWait(driver, MOST, OFTEN)
                .ignoring(StaleElementReferenceException.class)
                .withMessage(what)
                .until(now -> look.look().orElse(null));
    }

    /** What is to be seen of the page. */
    public void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    public void isDark(boolean wanted) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", wanted ? "dark" : "light"))));
    }

    /** Waits until what was asked for can be seen: charts draw themselves anew at most so often. */
    public void settle() {
        driver.executeAsyncScript("setTimeout(arguments[0], 1500)");
    }

    public byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** Nothing went wrong on the page since this was asked last, but for requests that were refused, which the browser notes. */
    public void assertNothingWrong(String... butFor) {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .filteredOn(
                        message -> !message.contains("/commands - Failed to load resource: the server responded with"))
                .filteredOn(message -> Stream.of(butFor).noneMatch(message::contains))
                .isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
