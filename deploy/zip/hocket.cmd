@echo off
rem Runs the hocket command of the unpacked zip on Windows: bin\hocket.cmd beside lib. No test runs it.
rem The options are those of bin/hocket. Java prints a warning about the incubating Vector API, which bin/hocket leaves out.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -Xlog:disable --add-modules jdk.incubator.vector -Dhocket.command=hocket %HOCKET_JAVA_OPTIONS% -cp "%~dp0..\lib\*" hocket.workbench.command.Hocket %*
