module faultline

go 1.18
