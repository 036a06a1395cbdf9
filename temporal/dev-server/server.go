package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const (
	clusterName = "active"
	namespace   = "default"
	store       = "sqlite"
)

var services = []primitives.ServiceName{
	primitives.FrontendService, primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
}

func newServer(read options) (temporal.Server, error) {
	database := databaseOf(read)
	if err := prepareDatabase(read, database); err != nil {
		return nil, err
	}
	settings, err := settingsOf(read)
	if err != nil {
		return nil, err
	}
	configuration, err := configurationOf(read, database)
	if err != nil {
		return nil, err
	}
	hosts := map[primitives.ServiceName]static.Hosts{}
	for _, service := range services {
		hosts[service] = static.SingleLocalHost(fmt.Sprintf("%s:%d", host, configuration.Services[string(service)].RPC.GRPCPort))
	}
	return temporal.NewServer(
		temporal.WithConfig(configuration),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(hosts),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Level: read.logLevel, Format: "console"}))),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return authorization.NewNoopClaimMapper() }),
		temporal.WithDynamicConfigClient(settings),
	)
}

// With the settings that Temporal's CLI gives its own dev server: a cache for one process, and no bounds for tests to run into.
func settingsOf(read options) (dynamicconfig.StaticClient, error) {
	settings := dynamicconfig.StaticClient{
		dynamicconfig.HistoryCacheHostLevelMaxSize.Key():                 8096,
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 100,
		dynamicconfig.FrontendPersistenceMaxQPS.Key():                    10000,
		dynamicconfig.HistoryPersistenceMaxQPS.Key():                     45000,
	}
	for key, text := range read.dynamicConfig {
		value, err := settingOf(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		settings[dynamicconfig.MakeKey(key)] = value
	}
	return settings, nil
}

func databaseOf(read options) *config.SQL {
	database := &config.SQL{PluginName: sqliteplugin.PluginName, ConnectAttributes: map[string]string{}}
	if read.databaseFile == "" {
		database.DatabaseName = strconv.Itoa(rand.Int())
		database.ConnectAttributes["mode"], database.ConnectAttributes["cache"] = "memory", "shared"
	} else {
		database.DatabaseName = read.databaseFile
		database.ConnectAttributes["mode"] = "rwc"
	}
	for name, value := range read.sqlitePragmas {
		database.ConnectAttributes[name] = value
	}
	return database
}

// Makes the schema of a new file, and the namespace with its search attributes where it is missing.
func prepareDatabase(read options, database *config.SQL) error {
	if read.databaseFile != "" {
		if _, err := os.Stat(read.databaseFile); errors.Is(err, fs.ErrNotExist) {
			if err := sqlite.SetupSchema(database); err != nil {
				return err
			}
		}
	}
	attributes := map[string]enumspb.IndexedValueType{}
	for name, kind := range read.searchAttributes {
		if !strings.EqualFold(kind, "keyword") {
			return fmt.Errorf("expected the search attribute %s to be a Keyword, found %q", name, kind)
		}
		attributes[name] = enumspb.INDEXED_VALUE_TYPE_KEYWORD
	}
	made, err := sqlite.NewNamespaceConfig(clusterName, namespace, false, attributes)
	if err != nil {
		return err
	}
	return sqlite.CreateNamespaces(database, made)
}

func configurationOf(read options, database *config.SQL) (*config.Config, error) {
	var configuration config.Config
	configuration.Global.Membership.MaxJoinDuration = 30 * time.Second
	configuration.Global.Membership.BroadcastAddress = host
	configuration.Persistence.DefaultStore = store
	configuration.Persistence.VisibilityStore = store
	configuration.Persistence.NumHistoryShards = 1
	configuration.Persistence.DataStores = map[string]config.DataStore{store: {SQL: database}}
	configuration.DCRedirectionPolicy.Policy = "noop"
	configuration.Archival.History.State = "disabled"
	configuration.Archival.Visibility.State = "disabled"
	configuration.NamespaceDefaults.Archival.History.State = "disabled"
	configuration.NamespaceDefaults.Archival.Visibility.State = "disabled"
	address := fmt.Sprintf("%s:%d", host, read.port)
	configuration.PublicClient.HostPort = address
	configuration.ClusterMetadata = &cluster.Config{
		FailoverVersionIncrement: 10,
		MasterClusterName:        clusterName,
		CurrentClusterName:       clusterName,
		ClusterInformation: map[string]cluster.ClusterInformation{
			clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address},
		},
	}
	configuration.Services = map[string]config.Service{}
	for _, service := range services {
		port, httpPort := read.port, read.httpPort
		if service != primitives.FrontendService {
			httpPort = 0
			var err error
			if port, err = freePort(); err != nil {
				return nil, err
			}
		}
		var part config.Service
		part.RPC.GRPCPort, part.RPC.HTTPPort, part.RPC.BindOnIP = port, httpPort, host
		configuration.Services[string(service)] = part
	}
	return &configuration, nil
}
