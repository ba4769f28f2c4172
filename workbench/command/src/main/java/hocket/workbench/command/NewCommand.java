package hocket.workbench.command;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.SchemaFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Version;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Creates a project of the user's own. */
@Command(
        name = "new",
        header = "Creates a Maven project: networks, a schedule and an experiment of your own.",
        description = {"", "It compiles, its test passes, and hocket run trains it; change what you like.", ""},
        footer = {
            "",
            "For example:",
            "  hocket new demo",
            "  cd demo && mvn verify",
            "",
            "mvn finds Hocket after mvn install -Dmaven.test.skip=true in Hocket's folder."
        })
public final class NewCommand extends WorkplaceCommand implements Runnable {
    private static final String TEMPLATES = "project/";

    @Parameters(paramLabel = "DIR", description = "a folder that does not exist yet; its name is the project's")
    private String folder = "";

    @Override
    public void run() {
        Path project = workplace.path(folder).toAbsolutePath().normalize();
        String name = String.valueOf(project.getFileName());
        if (!name.matches("[A-Za-z][A-Za-z0-9_-]*")) {
            throw new UserError(
                    "the project's name must be letters, digits, - and _, a letter first, was \"" + name + "\"");
        }
        if (new RunFolder(project).isTaken()) {
            throw new UserError(project + " exists and is not empty");
        }
        String javaPackage = name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
        if (List.of("java", "javax", "jdk", "sun", "hocket").contains(javaPackage)) {
            throw new UserError("the project's name is also its Java package, and " + javaPackage + " is taken");
        }
        if (javax.lang.model.SourceVersion.isKeyword(javaPackage)) {
            throw new UserError(
                    "the project's name is also its Java package, and " + javaPackage + " is a Java keyword");
        }
        Map<String, String> files = new LinkedHashMap<>();
        String sources = "src/main/java/" + javaPackage + "/";
        files.put("pom.xml", "pom.xml");
        files.put("README.md", "README.md");
        files.put(".gitignore", "gitignore");
        files.put("experiment.yaml", "experiment.yaml");
        files.put(sources + "PointGan.java", "Networks.java");
        files.put(sources + "Balance.java", "Schedule.java");
        files.put("src/test/java/" + javaPackage + "/ExperimentTest.java", "Test.java");
        UserError.unlessMade(project + " could not be written", () -> {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path target = project.resolve(file.getKey());
                Files.createDirectories(target.getParent());
                AtomicFile.write(target, filled(file.getValue() + ".template", name, javaPackage));
            }
            SchemaFile.write(
                    project.resolve("hocket.schema.json"), ExperimentFile.schema(workplace.surroundings(List.of())));
        });
        workplace.terminal().remark("made " + folder + ": networks, a schedule, an experiment and a test");
        workplace
                .terminal()
                .remark("first mvn install -Dmaven.test.skip=true in Hocket's folder, once; Maven finds it then");
        workplace.terminal().remark("next  cd " + CommandContext.quoted(folder) + " && mvn verify");
        workplace.terminal().remark("      hocket run experiment.yaml --classpath target/" + name + ".jar");
    }

    private static String filled(String template, String name, String javaPackage) throws IOException {
        return resource(template)
                .replace("@NAME@", name)
                .replace("@PACKAGE@", javaPackage)
                .replace("@VERSION@", Version.number())
                .replace("@JUNIT@", resource("junit").strip());
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = NewCommand.class.getResourceAsStream(TEMPLATES + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar of the workbench lacks " + TEMPLATES + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
