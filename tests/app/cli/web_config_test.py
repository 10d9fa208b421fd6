"""faultline-cli serve --web-config as Prometheus meets it, by TLS and with passwords: web_config_test.py BIN."""
import base64
import concurrent.futures
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest

import serve_test

# Of "secret".
HASH = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"
SLOW_HASH = "$2b$15$abcdefghijklmnopqrstuuB1A/ENTI1pzO2sjUa3mRvMw8Yfwf38."
USERS = f"basic_auth_users:\n  alice: {HASH}\n"
TLS = "tls_server_config:\n  cert_file: server.pem\n  key_file: server.key\n"


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=120)


def make_certificates(folder):
    """server.pem signs itself; client.pem is signed by it; other.pem signs itself."""
    for name in ("server", "other"):
        openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1")
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "client.key",
            "-out", "client.csr", "-subj", "/CN=client")
    openssl(folder, "x509", "-req", "-in", "client.csr", "-CA", "server.pem", "-CAkey", "server.key", "-CAcreateserial",
            "-days", "2", "-out", "client.pem")
    openssl(folder, "ec", "-in", "server.key", "-aes128", "-passout", "pass:word", "-out", "locked.key")


class Guarded(serve_test.Served):
    def __init__(self, folder, config):
        self.folder = folder
        with open(os.path.join(folder, "web.yml"), "w", encoding="utf-8") as file:
            file.write(config)
        super().__init__("--web-config", file.name)

    def trust(self, client=None, newest=None):
        context = ssl.create_default_context(cafile=os.path.join(self.folder, "server.pem"))
        if newest:
            context.maximum_version = newest
        if client:
            context.load_cert_chain(os.path.join(self.folder, client + ".pem"), os.path.join(self.folder, client + ".key"))
        return context

    def get(self, user=None, context=None, path="/metrics", method="GET"):
        """The status and the headers; context False: without TLS."""
        connection = (http.client.HTTPConnection("127.0.0.1", self.port, timeout=30) if context is False else
                      http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=context or self.trust()))
        headers = {"Authorization": "Basic " + base64.b64encode(user.encode()).decode()} if user else {}
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            page = answer.read().decode()
            assert ("faultline_minor_faults_total" in page) == (answer.status == 200 and method == "GET")
            return answer.status, answer.headers
        finally:
            connection.close()


class WebConfig(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("openssl"):
            raise unittest.SkipTest("openssl, which makes certificates, is not installed")
        cls.made = tempfile.TemporaryDirectory()
        make_certificates(cls.made.name)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def guarded(self, config):
        return Guarded(self.made.name, config)

    def test_a_password_by_tls(self):
        with self.guarded(TLS + USERS) as served:
            self.assertIn(f"https://127.0.0.1:{served.port}/metrics", served.told)
            files = set(os.listdir(self.made.name))
            for _ in range(2):
                self.assertEqual(200, served.get("alice:secret")[0])
                for user in (None, "alice:Secret", "alice:", "bob:secret", ":", "alice"):
                    status, headers = served.get(user)
                    self.assertEqual(401, status, user)
                    self.assertRegex(headers["WWW-Authenticate"], "^Basic ")
            self.assertEqual([404, 401], [served.get(user, path="/x")[0] for user in ("alice:secret", None)])
            self.assertEqual([405, 401], [served.get(user, method="POST")[0] for user in ("alice:secret", None)])
            with self.assertRaises((http.client.HTTPException, OSError)):
                served.get("alice:secret", context=False)
            with self.assertRaises(ssl.SSLError):
                served.get("alice:secret", context=ssl.create_default_context())
            self.assertEqual(files, set(os.listdir(self.made.name)))
        self.assertEqual(0, served.code)

    def test_the_oldest_version_of_tls(self):
        with self.guarded(TLS) as served:
            self.assertEqual(200, served.get(context=served.trust(newest=ssl.TLSVersion.TLSv1_2))[0])
        with self.guarded(TLS + "  min_version: TLS13\n") as served:
            self.assertEqual(200, served.get()[0])
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                served.get(context=served.trust(newest=ssl.TLSVersion.TLSv1_2))

    def test_a_certificate_that_clients_need(self):
        with self.guarded(TLS + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: server.pem\n") as served:
            for _ in range(2):
                self.assertEqual(200, served.get(context=served.trust("client"))[0])
                for client in (None, "other"):
                    with self.assertRaises((OSError, http.client.HTTPException), msg=client):
                        served.get(context=served.trust(client))

    def test_a_password_without_tls(self):
        with self.guarded(USERS) as served:
            self.assertIn(f"http://127.0.0.1:{served.port}/metrics", served.told)
            self.assertEqual([200, 401], [served.get(user, False)[0] for user in ("alice:secret", None)])

    def test_wrong_passwords_take_one_processor_and_keep_nobody_out(self):
        with self.guarded(USERS + f"  slow: {SLOW_HASH}\n") as served:
            self.assertEqual(200, served.get("alice:secret", False)[0])
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                wrong = [pool.submit(served.get, "slow:wrong", False) for _ in range(4)]
                known = [served.get("alice:secret", False)[0] for _ in range(3)]
            self.assertEqual([200] * 3, known)
            statuses = sorted(each.result()[0] for each in wrong)
            self.assertLessEqual(set(statuses), {401, 429})
            self.assertEqual(429, statuses[-1])

    def test_silent_clients_do_not_keep_others_out(self):
        with self.guarded(TLS) as served:
            silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(3)]
            silent[0].sendall(b"\x16\x03\x01\xff\xff" + b"a" * 1000)
            self.assertEqual(200, served.get()[0])
            for one in silent:
                one.close()

    def test_what_is_wrong_is_told(self):
        for config, words in ((TLS + "  cipher_suites: []\n", "line 4: Faultline does not support cipher_suites"),
                              ("http_server_config: {http2: true}\n", "line 1: Faultline does not support http_server_config"),
                              ("a: [\n", "This is no YAML"),
                              (TLS.replace("server.key", "absent.key"), "absent.key cannot be read: No such file"),
                              (TLS.replace("server.key", "server.pem"), "server.pem holds no PRIVATE KEY"),
                              (TLS.replace("server.key", "locked.key"), "locked.key is encrypted"),
                              (TLS.replace("server.key", "client.key"), "Nothing can listen"),
                              (USERS.replace("$2b", "$1"), "line 2: The password of alice is no bcrypt hash")):
            served = self.guarded(config)
            run = subprocess.run([serve_test.CLI, "serve", "--listen", str(served.port), *served.options],
                                 capture_output=True, text=True, timeout=60)
            self.assertEqual(1, run.returncode, config)
            self.assertIn(words, run.stderr)
            self.assertNotIn("/metrics", run.stderr)

    def test_an_open_address_is_warned_of(self):
        for config, warned in (("", "no password protects them"), (USERS, "no encryption protects them"), (TLS + USERS, None)):
            served = self.guarded(config)
            run = subprocess.run(["timeout", "--preserve-status", "-s", "INT", "3", serve_test.CLI, "serve", "--interval", "50ms",
                                  "--listen", f"0.0.0.0:{served.port}", *served.options],
                                 capture_output=True, text=True, timeout=60)
            self.assertIn("/metrics", run.stderr)
            self.assertIn(warned or "", run.stderr)
            self.assertEqual(warned is not None, "Whoever reaches 0.0.0.0" in run.stderr, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=["web_config_test"], verbosity=2)
