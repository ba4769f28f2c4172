package hocket.workbench.live.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllowedHostsTest {
    @Test
    void theUsualPortMayBeLeftOutAndNoOther() {
        AllowedHosts tls = AllowedHosts.of("My.host", true, 443);
        assertThat(tls.isHost("my.host")).isTrue();
        assertThat(tls.isHost("my.host:443")).isTrue();
        assertThat(tls.isOrigin("https://my.host")).isTrue();
        assertThat(tls.isOrigin("http://my.host")).isFalse();
        assertThat(tls.isHost("other.host")).isFalse();
        assertThat(tls.origin("My.host")).isEqualTo("https://my.host:443");
        assertThat(AllowedHosts.of("127.0.0.1", false, 80).isHost("localhost")).isTrue();
        assertThat(AllowedHosts.of("127.0.0.1", false, 443).isHost("localhost")).isFalse();
        assertThat(AllowedHosts.of("my.host", true, 8443).isHost("my.host")).isFalse();
    }
}
