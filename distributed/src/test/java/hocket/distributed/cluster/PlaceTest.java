package hocket.distributed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.files.UserError;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceTest {
    private static final Map<String, String> WORKER = Map.of(
            "HOCKET_TOKEN", "secret",
            "TRAINING_ROLE", "TRAINER",
            "HOCKET_SCHEDULER", "10.0.0.1:7070",
            "HOCKET_WORKERS", "4",
            "HOCKET_RANK", "2");

    @Test
    void theEnvironmentSaysWhichPartAProcessTakes() {
        NodeConfig nodeConfig = NodeConfig.of(WORKER).orElseThrow();
        assertThat(nodeConfig).isEqualTo(new NodeConfig(Role.TRAINER, 2, 4, 1, "10.0.0.1", 7070, "", "secret", 10));
        assertThat(nodeConfig.called()).isEqualTo("worker 2");
        assertThat(nodeConfig.writes()).isFalse();
        assertThat(NodeConfig.of(nodeConfig.environment())).contains(nodeConfig);
        assertThat(NodeConfig.of(Map.of())).isEmpty();
        assertThat(NodeConfig.of(Map.of("TRAINING_ROLE", ""))).isEmpty();
    }

    @Test
    void theSchedulerAndAnOnlyServerNeedNoRank() {
        Map<String, String> scheduler = new TreeMap<>(WORKER);
        scheduler.remove("HOCKET_RANK");
        scheduler.put("TRAINING_ROLE", "SCHEDULER");
        assertThat(NodeConfig.of(scheduler).orElseThrow().called()).isEqualTo("the scheduler");
        scheduler.put("TRAINING_ROLE", "PSERVER");
        assertThat(NodeConfig.of(scheduler).orElseThrow().called()).isEqualTo("server 0");
    }

    /** The script that Kubernetes and Slurm run gives each index its part. */
    @ParameterizedTest
    @CsvSource({"0, the scheduler", "1, server 0", "2, server 1", "3, worker 0", "6, worker 3"})
    void theScriptForClustersNumbersThePartsOfARun(int index, String called) throws Exception {
        Path script = Path.of(System.getProperty("hocket.root"), "deploy", "hocket-role");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", script.toString(), Integer.toString(index), "4", "2", "10.0.0.1:7070", "env")
                .redirectErrorStream(true);
        builder.environment().put("HOCKET_TOKEN", "secret");
        Process process = builder.start();
        Map<String, String> environment = new TreeMap<>();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            said.lines()
                    .filter(line -> line.contains("="))
                    .forEach(line -> environment.put(
                            line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        }
        NodeConfig nodeConfig = NodeConfig.of(environment).orElseThrow();
        assertThat(nodeConfig.called()).isEqualTo(called);
        assertThat(nodeConfig.scheduler()).isEqualTo("10.0.0.1:7070");
        assertThat(nodeConfig.workers()).isEqualTo(4);
        assertThat(nodeConfig.servers()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TRAINING_ROLE | WORKER | TRAINING_ROLE: must be TRAINER, PSERVER, SCHEDULER or ACTOR, was \"WORKER\"",
                "HOCKET_TOKEN | '' | HOCKET_TOKEN: must be set if the scheduler is on another machine",
                "HOCKET_RANK | 4 | HOCKET_RANK: must be a whole number from 0 to 3, was \"4\"",
                "HOCKET_RANK | -1 | HOCKET_RANK: must be a whole number from 0 to 3, was \"-1\"",
                "HOCKET_RANK | '' | HOCKET_RANK: must be set if TRAINING_ROLE is",
                "HOCKET_WORKERS | many | HOCKET_WORKERS: must be a whole number from 1 to 1000, was \"many\"",
                "HOCKET_SERVERS | 0 | HOCKET_SERVERS: must be a whole number from 1 to 1000, was \"0\"",
                "HOCKET_SCHEDULER | host | HOCKET_SCHEDULER: must be HOST:PORT, such as 10.0.0.1:7070, was \"host\"",
                "HOCKET_SCHEDULER | host:70700 | HOCKET_SCHEDULER: must be HOST:PORT, such as 10.0.0.1:7070, was"
                        + " \"host:70700\"",
            })
    void whatItSaysWronglyIsOneErrorThatNamesTheVariable(String name, String value, String message) {
        Map<String, String> wrong = new TreeMap<>(WORKER);
        wrong.put(name, value);
        assertThatThrownBy(() -> NodeConfig.of(wrong))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(message);
    }
}
