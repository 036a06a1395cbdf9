// The Temporal server with its web UI and SQLite, in one process on 127.0.0.1: what `temporal server start-dev` of Temporal's CLI
// starts, with the same flags, for machines that cannot download the CLI. Go builds it; the CLI's own module cannot be built
// from the proxy, because it replaces a module that the proxy does not have.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
	uiversion "github.com/temporalio/ui-server/v2/server/version"
	"go.temporal.io/server/common/headers"
)

// The server expects an address, not a name.
const host = "127.0.0.1"

type options struct {
	port, httpPort   int
	uiHost           string
	uiPort           int
	headless         bool
	databaseFile     string
	logLevel         string
	searchAttributes pairs
	sqlitePragmas    pairs
	dynamicConfig    pairs
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 1 && arguments[0] == "--version" {
		fmt.Printf("nereid dev server (Server %s, UI %s)\n", headers.ServerVersion, uiversion.UIVersion)
		return nil
	}
	if len(arguments) < 2 || arguments[0] != "server" || arguments[1] != "start-dev" {
		return errors.New("expected --version, or server start-dev and its flags")
	}
	read, err := readOptions(arguments[2:])
	if err != nil {
		return err
	}
	return serve(read)
}

func readOptions(arguments []string) (options, error) {
	read := options{searchAttributes: pairs{}, sqlitePragmas: pairs{}, dynamicConfig: pairs{}}
	flags := flag.NewFlagSet("server start-dev", flag.ContinueOnError)
	ip := flags.String("ip", host, "address of the front end")
	// Of Temporal's CLI. This server reads no configuration of its user.
	flags.Bool("disable-config-file", true, "ignored")
	flags.Bool("disable-config-env", true, "ignored")
	flags.IntVar(&read.port, "port", 7233, "port of the front end")
	flags.IntVar(&read.httpPort, "http-port", 0, "port of the HTTP API; without it there is none")
	flags.StringVar(&read.uiHost, "ui-ip", host, "address of the web UI")
	flags.IntVar(&read.uiPort, "ui-port", 8233, "port of the web UI")
	flags.BoolVar(&read.headless, "headless", false, "start no web UI")
	flags.StringVar(&read.databaseFile, "db-filename", "", "SQLite file; without it everything is in memory")
	flags.StringVar(&read.logLevel, "log-level", "warn", "least level of the log")
	flags.Var(read.searchAttributes, "search-attribute", "NAME=Keyword")
	flags.Var(read.sqlitePragmas, "sqlite-pragma", "NAME=VALUE")
	flags.Var(read.dynamicConfig, "dynamic-config-value", "KEY=JSON")
	if err := flags.Parse(arguments); err != nil {
		return read, err
	}
	if flags.NArg() > 0 {
		return read, fmt.Errorf("expected flags only, found %q", flags.Arg(0))
	}
	if *ip != host {
		return read, fmt.Errorf("expected the address %s, since this server asks nobody who they are, found %q", host, *ip)
	}
	if address := net.ParseIP(read.uiHost); address == nil || !address.IsLoopback() {
		return read, fmt.Errorf("expected an address of this machine alone for the web UI, found %q", read.uiHost)
	}
	return read, nil
}

func serve(read options) error {
	if err := checkPortFree(host, read.port); err != nil {
		return fmt.Errorf("can't set frontend port %d: %w", read.port, err)
	}
	if !read.headless {
		if err := checkPortFree(read.uiHost, read.uiPort); err != nil {
			return fmt.Errorf("can't set UI port %d: %w", read.uiPort, err)
		}
	}
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	server, err := newServer(read)
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	failed := make(chan error, 1)
	if !read.headless {
		ui := newUI(read)
		defer ui.Stop()
		go func() { failed <- ui.Start() }()
	}
	select {
	case <-stopped:
		err = nil
	case err = <-failed:
	}
	return errors.Join(err, server.Stop())
}

func newUI(read options) *uiserver.Server {
	return uiserver.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		Host:                read.uiHost,
		Port:                read.uiPort,
		TemporalGRPCAddress: fmt.Sprintf("%s:%d", host, read.port),
		EnableUI:            true,
		DisableNewsFetch:    true,
		CORS:                uiconfig.CORS{CookieInsecure: true},
		HideLogs:            true,
	}))
}

func checkPortFree(address string, port int) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", address, port))
	if err != nil {
		return err
	}
	return listener.Close()
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// pairs are NAME=VALUE, from a flag that may be given several times.
type pairs map[string]string

func (p pairs) String() string { return fmt.Sprint(map[string]string(p)) }

func (p pairs) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" {
		return fmt.Errorf("expected NAME=VALUE, found %q", text)
	}
	p[name] = value
	return nil
}

// The server wants whole numbers as int, not as the float64 that JSON makes of them.
func settingOf(text string) (any, error) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("expected JSON, found %q: %w", text, err)
	}
	if number, isNumber := value.(float64); isNumber && number == float64(int(number)) {
		return int(number), nil
	}
	return value, nil
}
